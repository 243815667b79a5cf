//! How the program ends.

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use callsheet::catalogs::CatalogError;
use callsheet::output::text::clean;

/// The exit codes. They are documented and stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Exit {
    /// 0: all is well. Notes may have been printed.
    Clean,
    /// 1: errors or warnings were found, or what was asked for was not.
    Findings,
    /// 2: it could not be done: wrong usage, or files that could not be had.
    Trouble,
    /// 3: there is an answer, but calls of tools were refused.
    Refused,
    /// 4: a bound was reached.
    Bound,
    /// 5: an agent failed, and there is no answer.
    Failed,
    /// 128 and the number of the signal that interrupted it: 130 for Ctrl-C.
    Interrupted(i32),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Trouble => 2,
            Exit::Refused => 3,
            Exit::Bound => 4,
            Exit::Failed => 5,
            Exit::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(130),
        })
    }
}

/// Why a command stopped short, for people.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What is wrong; none where there is nobody left to tell.
    message: Option<String>,
    /// What to do about it.
    help: Vec<String>,
}

impl Failure {
    /// It could not be done.
    pub(crate) fn trouble(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Trouble,
            message: Some(message.into()),
            help: Vec::new(),
        }
    }

    /// What was asked for is not there.
    pub(crate) fn nothing_found(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Findings,
            ..Self::trouble(message)
        }
    }

    /// Adds what to do about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// What is wrong, without advice.
    pub(crate) fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// The lines for the standard error stream.
    pub(crate) fn report(&self) -> String {
        let mut out = String::new();
        if let Some(message) = &self.message {
            let _ = writeln!(out, "error: {message}");
        }
        for help in &self.help {
            let _ = writeln!(out, "help: {help}");
        }
        out
    }
}

impl From<callsheet::Error> for Failure {
    fn from(error: callsheet::Error) -> Self {
        let failure = Self::trouble(clean(&error.to_string()));
        match error {
            callsheet::Error::UnknownDialect { .. } => {
                failure.help("`callsheet dialects` lists those that there are")
            }
            callsheet::Error::Catalog(CatalogError::BadInline(_)) => failure.help(
                r#"such as --agents '{"reviewer": {"description": "Reviews code", "prompt": "Review it."}}'"#,
            ),
            _ => failure,
        }
    }
}

impl From<io::Error> for Failure {
    /// A reader that went away, such as `head`, is no failure: it had what it wanted.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self {
                exit: Exit::Clean,
                message: None,
                help: Vec::new(),
            },
            _ => Self::trouble(format!("cannot print: {error}")),
        }
    }
}
