//! Failures as errors of the protocol.

use agent_client_protocol::v1::schema::SessionId;
use agent_client_protocol::{Error, ErrorCode};
use callsheet::output::text::clean;

use crate::exit::{Exit, Failure};

/// A conversation that is not open.
pub(super) fn unknown(id: &SessionId) -> Error {
    invalid(format!("no conversation `{}` is open", clean(&id.0)))
}

/// A request with invalid parameters.
pub(super) fn invalid(reason: impl Into<String>) -> Error {
    Error::new(ErrorCode::INVALID_PARAMS, reason)
}

/// A request that cannot be answered now.
pub(super) fn refused(reason: &str) -> Error {
    Error::new(ErrorCode::INVALID_REQUEST, reason)
}

/// The message of a failure, and what to do.
pub(super) fn told(failure: &Failure) -> Error {
    let mut message = failure.message().to_owned();
    for advice in failure.advice() {
        message.push_str("\nhelp: ");
        message.push_str(advice);
    }
    let code = match failure.exit {
        Exit::Findings => ErrorCode::RESOURCE_NOT_FOUND,
        _ => ErrorCode::INTERNAL_ERROR,
    };
    Error::new(code, message)
}
