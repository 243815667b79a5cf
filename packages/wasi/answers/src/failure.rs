//! Why there is no answer.

use std::fmt;

use crate::catalogs::CatalogError;
use crate::documents::DocumentError;

/// Why there is no answer. What is wrong with agent files never is a failure.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// There is no dialect of this name.
    UnknownDialect {
        /// The name.
        asked: String,
        /// The nearest one, if one is near.
        nearest: Option<String>,
    },
    /// The agents given are no JSON object of agents.
    BadInline(String),
    /// A file could not be read.
    Unreadable {
        /// Its name.
        path: String,
        /// Why.
        reason: String,
    },
    /// A file is no agent that its own dialect loads, for this reason.
    Unusable(String),
    /// Anything else.
    Other(String),
}

impl Failure {
    pub(crate) fn catalog(error: CatalogError, dialect: &str) -> Self {
        match error {
            CatalogError::UnknownDialect(nearest) => Self::unknown(dialect, nearest),
            CatalogError::BadInline(reason) => Self::BadInline(reason),
            CatalogError::Registered(name) => Self::Other(format!("`{name}` is registered already")),
            CatalogError::Unusable(reason) | CatalogError::Other(reason) => Self::Other(reason),
        }
    }

    pub(crate) fn document(error: DocumentError, dialect: Option<&str>) -> Self {
        match error {
            DocumentError::UnknownDialect(nearest) => Self::unknown(dialect.unwrap_or_default(), nearest),
            DocumentError::Other(reason) => Self::Other(reason),
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
                write!(to, "there is no dialect `{asked}`")?;
                nearest
                    .iter()
                    .try_for_each(|nearest| write!(to, "; did you mean `{nearest}`?"))
            }
            Self::BadInline(reason) => write!(to, "the agents given cannot be read: {reason}"),
            Self::Unreadable { path, reason } => write!(to, "{path}: {reason}"),
            Self::Unusable(reason) | Self::Other(reason) => to.write_str(reason),
        }
    }
}
