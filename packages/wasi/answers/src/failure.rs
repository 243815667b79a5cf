//! Errors of calls.

use std::fmt;

use callsheet_contract::catalogs::CatalogError;
use callsheet_contract::documents::{DocumentError, Refusal, WriteError};

/// The error of a call. Problems in agent files are findings, never failures.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// Unknown dialect.
    UnknownDialect {
        /// The name.
        asked: String,
        /// The nearest name, if any.
        nearest: Option<String>,
    },
    /// The inline agents are not a JSON object of agents.
    BadInline(String),
    /// A file could not be read.
    Unreadable {
        /// Its name.
        path: String,
        /// Why.
        reason: String,
    },
    /// The source dialect does not load this file, with the reason.
    Unusable(String),
    /// Anything else.
    Other(String),
}

impl Failure {
    /// Of a catalog or a project; `dialect` is the requested one.
    pub fn catalog(error: CatalogError, dialect: &str) -> Self {
        match error {
            CatalogError::UnknownDialect(nearest) => Self::unknown(dialect, nearest),
            CatalogError::BadInline(reason) => Self::BadInline(reason),
            CatalogError::Registered(name) => Self::Other(format!("`{name}` is already registered")),
            CatalogError::Unusable(reason) | CatalogError::Other(reason) => Self::Other(reason),
        }
    }

    /// Of a document; `dialect` is the requested one.
    pub fn document(error: DocumentError, dialect: Option<&str>) -> Self {
        match error {
            DocumentError::UnknownDialect(nearest) => Self::unknown(dialect.unwrap_or_default(), nearest),
            DocumentError::Other(reason) => Self::Other(reason),
        }
    }

    /// Of a new file; `dialect` is the requested one.
    pub fn write(error: WriteError, dialect: &str) -> Self {
        match error {
            WriteError::UnknownDialect(nearest) => Self::unknown(dialect, nearest),
            WriteError::Refused(refusals) => {
                let reasons = refusals.into_iter().map(|Refusal { reason, .. }| reason);
                Self::Other(reasons.collect::<Vec<_>>().join("; "))
            }
            WriteError::Unreadable(reason) | WriteError::Other(reason) => Self::Other(reason),
        }
    }

    pub(crate) fn unknown(asked: &str, nearest: Option<String>) -> Self {
        Self::UnknownDialect {
            asked: asked.to_owned(),
            nearest,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDialect { asked, nearest } => {
                write!(to, "unknown dialect `{asked}`")?;
                nearest
                    .iter()
                    .try_for_each(|nearest| write!(to, "; did you mean `{nearest}`?"))
            }
            Self::BadInline(reason) => write!(to, "cannot read inline agents: {reason}"),
            Self::Unreadable { path, reason } => write!(to, "{path}: {reason}"),
            Self::Unusable(reason) | Self::Other(reason) => to.write_str(reason),
        }
    }
}
