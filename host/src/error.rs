//! Errors.

use std::path::{Path, PathBuf};
use std::{error, fmt, io};

use crate::catalogs::CatalogError;
use crate::delegation::SessionError;
use crate::documents::{Carried, ConvertError, DocumentError, Transfer, WriteError};

/// The result of most calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed. Problems in agent files are never errors but diagnostics.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The dialect is unknown.
    UnknownDialect {
        /// The requested name.
        asked: String,
        /// The closest known dialect, if one is close.
        nearest: Option<String>,
    },
    /// The catalog refused a call.
    Catalog(CatalogError),
    /// The component refused a document.
    Document(String),
    /// The source dialect does not load the file, for this reason.
    Unusable(String),
    /// The other dialect cannot express something: the fate of each field, refusals included.
    Refused(Vec<Carried>),
    /// A file or directory of the caller could not be read.
    Path {
        /// Its name.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// A file could not be replaced. It is unchanged.
    Write {
        /// Its name.
        path: String,
        /// The reason.
        source: io::Error,
    },
    /// The dialect cannot express something, or a file cannot be changed this way.
    Unwritten(WriteError),
    /// No active agent has this name.
    NoSuchAgent {
        /// The requested name.
        name: String,
        /// A file of this name that does not load: its path and the reason.
        broken: Option<(String, String)>,
    },
    /// Changes of files cannot be followed.
    Watch {
        /// The directory; none if it is about all.
        path: Option<String>,
        /// The reason.
        reason: String,
    },
    /// A session refused a call.
    Session(SessionError),
    /// A session could not be saved or restored.
    Save(SaveError),
    /// The loop around a session failed, which is a bug. The saved state can be resumed.
    Driver,
    /// The component failed before, and the session with it. Its last snapshot can be restored.
    Lost,
    /// The component failed, which is a bug; the next call works again.
    Trap {
        /// The operation.
        doing: String,
        /// The last file that was read.
        file: Option<String>,
        /// The engine's message.
        source: wasmtime::Error,
    },
    /// The component could not be loaded.
    Component {
        /// Its file; none if it is the embedded one.
        file: Option<PathBuf>,
        /// The engine's message.
        source: wasmtime::Error,
    },
}

impl Error {
    pub(crate) fn path(path: &str, source: io::Error) -> Self {
        let path = path.into();
        Self::Path { path, source }
    }

    pub(crate) fn catalog(error: CatalogError, dialect: &str) -> Self {
        match error {
            CatalogError::UnknownDialect(nearest) => Self::UnknownDialect {
                asked: dialect.into(),
                nearest,
            },
            other => Self::Catalog(other),
        }
    }

    pub(crate) fn convert(error: ConvertError, to: &str) -> Self {
        match error {
            ConvertError::UnknownDialect(nearest) => Self::UnknownDialect {
                asked: to.into(),
                nearest,
            },
            ConvertError::Unusable(reason) => Self::Unusable(reason),
            ConvertError::Refused(report) => Self::Refused(report),
            ConvertError::Other(reason) => Self::Document(reason),
        }
    }

    pub(crate) fn document(error: DocumentError, dialect: Option<&str>) -> Self {
        match error {
            DocumentError::UnknownDialect(nearest) => Self::UnknownDialect {
                asked: dialect.unwrap_or_default().into(),
                nearest,
            },
            DocumentError::Other(reason) => Self::Document(reason),
        }
    }

    pub(crate) fn unwritten(error: WriteError, dialect: &str) -> Self {
        match error {
            WriteError::UnknownDialect(nearest) => Self::UnknownDialect {
                asked: dialect.into(),
                nearest,
            },
            other => Self::Unwritten(other),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDialect { asked, nearest: None } => write!(to, "unknown dialect `{asked}`"),
            Self::UnknownDialect {
                asked,
                nearest: Some(nearest),
            } => write!(to, "unknown dialect `{asked}`; did you mean `{nearest}`?"),
            Self::Catalog(error) => catalog(error, to),
            Self::Document(reason) => to.write_str(reason),
            Self::Unusable(reason) => write!(to, "the source dialect does not load the file: {reason}"),
            Self::Refused(report) => {
                let refused = report.iter().filter(|carried| carried.fate == Transfer::Refused);
                let reasons: Vec<&str> = refused.map(|carried| &*carried.reason).collect();
                write!(to, "the dialect cannot express it: {}", reasons.join("; "))
            }
            Self::Path { path, source } => write!(to, "cannot read {path}: {source}"),
            Self::Write { path, source } => write!(to, "cannot write {path}: {source}"),
            Self::Unwritten(error) => unwritten(error, to),
            Self::NoSuchAgent { name, broken: None } => write!(to, "no active agent `{name}`"),
            Self::NoSuchAgent {
                name,
                broken: Some((path, reason)),
            } => {
                write!(
                    to,
                    "no active agent `{name}`: {path} does not load, because {reason}"
                )
            }
            Self::Watch { path: None, reason } => write!(to, "cannot follow changes: {reason}"),
            Self::Watch {
                path: Some(path),
                reason,
            } => write!(to, "cannot follow changes in {path}: {reason}"),
            Self::Session(error) => to.write_str(&words(error)),
            Self::Save(error) => error.fmt(to),
            Self::Driver => to.write_str("the session failed to continue; this is a bug, please report it"),
            Self::Lost => {
                to.write_str("the session was lost when the component failed; restore its last snapshot")
            }
            Self::Trap { doing, file, source } => {
                write!(to, "the component failed while {doing}")?;
                if let Some(file) = file {
                    write!(to, " (the file read last was {file})")?;
                }
                write!(
                    to,
                    ": {}. This is a bug in Callsheet; please report it with that file",
                    source.root_cause()
                )
            }
            Self::Component { file: None, source } => {
                write!(to, "the embedded component does not run here: {source:#}")
            }
            Self::Component {
                file: Some(file),
                source,
            } => {
                write!(
                    to,
                    "{} is not a component of the world `callsheet`: {source:#}",
                    file.display()
                )
            }
        }
    }
}

fn catalog(error: &CatalogError, to: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        CatalogError::UnknownDialect(_) => to.write_str("unknown dialect"),
        CatalogError::BadInline(reason) => write!(
            to,
            "the agents given on the command line cannot be read: {reason}"
        ),
        CatalogError::Registered(name) => write!(to, "an agent `{name}` is already registered"),
        CatalogError::Unusable(reason) => write!(to, "the definition does not load: {reason}"),
        CatalogError::Other(reason) => to.write_str(reason),
    }
}

fn unwritten(error: &WriteError, to: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        WriteError::UnknownDialect(_) => to.write_str("unknown dialect"),
        WriteError::Refused(refusals) => {
            let reasons: Vec<&str> = refusals.iter().map(|refusal| &*refusal.reason).collect();
            to.write_str(&reasons.join("; "))
        }
        WriteError::Unreadable(reason) => write!(to, "it cannot be edited: {reason}"),
        WriteError::Other(reason) => to.write_str(reason),
    }
}

/// Why a session could not be saved or restored.
#[derive(Debug)]
pub struct SaveError {
    path: PathBuf,
    doing: &'static str,
    reason: io::Error,
}

impl SaveError {
    pub(crate) fn new(path: &Path, doing: &'static str, reason: io::Error) -> Self {
        Self {
            path: path.to_owned(),
            doing,
            reason,
        }
    }

    /// The reason, without the file.
    pub fn reason(&self) -> &io::Error {
        &self.reason
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, doing, reason } = self;
        write!(to, "cannot {doing} the session {}: {reason}", path.display())
    }
}

impl error::Error for SaveError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.reason)
    }
}

/// The error of a session, for display.
fn words(error: &SessionError) -> String {
    match error {
        SessionError::UnknownAgent(unknown) => {
            let mut text = format!("no active agent `{}`", unknown.name);
            if let Some(nearest) = &unknown.nearest {
                text.push_str(&format!("; did you mean `{nearest}`?"));
            }
            text
        }
        SessionError::NotOutstanding(id) => format!("step {id} is not outstanding"),
        SessionError::UnfitReply(id) => format!("the reply to step {id} is of the wrong kind"),
        SessionError::BadSnapshot => "it is not a session snapshot of this version".into(),
        SessionError::Finished => "the session has ended".into(),
        SessionError::Other(reason) => reason.clone(),
    }
}

impl From<SaveError> for Error {
    fn from(error: SaveError) -> Self {
        Self::Save(error)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Path { source, .. } | Self::Write { source, .. } => Some(source),
            Self::Save(error) => Some(error),
            Self::Trap { source, .. } | Self::Component { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}

/// The innermost cause of an error.
pub(crate) fn cause(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.last().map(ToString::to_string).unwrap_or_default()
}
