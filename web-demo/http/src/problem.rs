//! Errors of requests as problems (RFC 9457).

use callsheet_answers::Failure;
use callsheet_contract::delegation::{SessionError, UnknownAgent};
use serde::Serialize;

/// A position in the body of a request, and the error there.
#[derive(Debug, Serialize)]
pub(crate) struct Misfit {
    pub(crate) pointer: String,
    pub(crate) detail: String,
}

/// The error of a request.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    pub(crate) status: u16,
    detail: String,
    /// Identifies the kind of problem.
    code: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Misfit>,
    /// The allowed methods.
    #[serde(skip)]
    pub(crate) allow: Option<&'static str>,
}

impl Problem {
    pub(crate) fn new(status: u16, code: &'static str, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: title(status),
            status,
            detail: detail.into(),
            code,
            errors: Vec::new(),
            allow: None,
        }
    }

    pub(crate) fn not_allowed(path: &str, allow: &'static str) -> Self {
        Self {
            allow: Some(allow),
            ..Self::new(405, "method-not-allowed", format!("{path} accepts {allow}"))
        }
    }

    pub(crate) fn unfit(errors: Vec<Misfit>) -> Self {
        let detail = "the body does not match the schema in `/openapi.json`";
        Self {
            errors,
            ..Self::new(422, "unfit", detail)
        }
    }
}

fn title(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        _ => "Internal Server Error",
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::UnknownDialect { nearest, .. } => {
                let detail = format!("unknown dialect{}; see `GET /v1/dialects`", meant(nearest));
                Self::new(422, "unknown-dialect", detail)
            }
            Failure::Unusable(reason) => {
                let detail = format!("the source dialect does not load this file: {reason}");
                Self::new(422, "unusable", detail)
            }
            other => Self::new(422, "other", other.to_string()),
        }
    }
}

impl From<SessionError> for Problem {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::UnknownAgent(UnknownAgent { name, nearest }) => {
                let meant = meant(nearest);
                let detail = format!("no active agent `{name}`{meant}; see `POST /v1/resolve`");
                Self::new(422, "unknown-agent", detail)
            }
            SessionError::NotOutstanding(step) => {
                let detail = format!("step {step} is not outstanding; see `steps` of the session");
                Self::new(409, "not-outstanding", detail)
            }
            SessionError::UnfitReply(step) => Self::new(
                409,
                "unfit-reply",
                format!("the reply to step {step} is of the wrong kind"),
            ),
            SessionError::Finished => Self::new(409, "finished", "the session has ended; see its `outcome`"),
            SessionError::BadSnapshot => {
                let detail =
                    "the session was changed, or saved by another version of Callsheet; open a new one";
                Self::new(409, "outdated", detail)
            }
            SessionError::Other(reason) => Self::new(422, "other", reason),
        }
    }
}

fn meant(nearest: Option<String>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
}
