//! What is wrong with a request, as RFC 9457 has it.

use callsheet_answers::Failure;
use callsheet_answers::delegation::{SessionError, UnknownAgent};
use serde::Serialize;

/// A place in the body of a request, and what is wrong there.
#[derive(Debug, Serialize)]
pub(crate) struct Misfit {
    pub(crate) pointer: String,
    pub(crate) detail: String,
}

/// Why a request is not answered.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    pub(crate) status: u16,
    detail: String,
    /// What programs tell problems apart by.
    code: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Misfit>,
    /// The methods that there are.
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
            ..Self::new(405, "method-not-allowed", format!("{path} takes {allow}"))
        }
    }

    pub(crate) fn unfit(errors: Vec<Misfit>) -> Self {
        let detail = "the body is not as `/openapi.json` describes it";
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
                let detail = format!(
                    "there is no such dialect{}: `GET /v1/dialects` lists them",
                    meant(nearest)
                );
                Self::new(422, "unknown-dialect", detail)
            }
            Failure::Unusable(reason) => {
                let detail = format!("its own dialect does not load the file: {reason}");
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
                let detail =
                    format!("no agent `{name}` is in force{meant}: `POST /v1/resolve` says which are");
                Self::new(422, "unknown-agent", detail)
            }
            SessionError::NotOutstanding(step) => {
                let detail =
                    format!("no step {step} waits for an answer: the session's `steps` are those that do");
                Self::new(409, "not-outstanding", detail)
            }
            SessionError::UnfitReply(step) => Self::new(
                409,
                "unfit-reply",
                format!("step {step} wants an answer of the other kind"),
            ),
            SessionError::Finished => {
                Self::new(409, "finished", "the session has ended: its `outcome` says how")
            }
            SessionError::BadSnapshot => {
                let detail = "the session was kept by another version of Callsheet, or changed: open it anew";
                Self::new(409, "outdated", detail)
            }
            SessionError::Other(reason) => Self::new(422, "other", reason),
        }
    }
}

fn meant(nearest: Option<String>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; `{nearest}` may be meant"))
}
