//! Exit statuses and failures.

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use callsheet::catalogs::CatalogError;
use callsheet::output::text::clean;

/// The exit statuses. They are documented and stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Exit {
    /// 0: no problems. Notes may have been printed.
    Clean,
    /// 1: problems found, or a search without a result.
    Findings,
    /// 2: usage or I/O error.
    Trouble,
    /// 3: there is an answer, but tool calls were denied.
    Refused,
    /// 4: a limit was reached.
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

/// Why a command failed, for display.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The exit status.
    pub(crate) exit: Exit,
    /// The message; none if it cannot be printed.
    message: Option<String>,
    /// The help.
    help: Vec<String>,
}

impl Failure {
    /// A usage or I/O error.
    pub(crate) fn trouble(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Trouble,
            message: Some(message.into()),
            help: Vec::new(),
        }
    }

    /// A search without a result.
    pub(crate) fn nothing_found(message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Findings,
            ..Self::trouble(message)
        }
    }

    /// Adds a help.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The problem, without advice.
    pub(crate) fn message(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// The advice.
    pub(crate) fn advice(&self) -> &[String] {
        &self.help
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
            callsheet::Error::UnknownDialect { .. } => failure.help("run `callsheet dialects` for the list"),
            callsheet::Error::Catalog(CatalogError::BadInline(_)) => failure.help(
                r#"such as --agents '{"reviewer": {"description": "Reviews code", "prompt": "Review it."}}'"#,
            ),
            _ => failure,
        }
    }
}

impl From<Failure> for callsheet_server::Failure {
    fn from(failure: Failure) -> Self {
        Self {
            message: failure.message.unwrap_or_default(),
            help: failure.help,
        }
    }
}

impl From<callsheet_server::Failure> for Failure {
    fn from(failure: callsheet_server::Failure) -> Self {
        Self {
            help: failure.help,
            ..Self::trouble(clean(&failure.message))
        }
    }
}

impl From<io::Error> for Failure {
    /// A reader that closes the pipe, such as `head`, is no failure.
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
