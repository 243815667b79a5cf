//! Errors of commands, and their exit statuses.

use callsheet_report::text::clean;

use crate::contract::exports::callsheet::command::main::Status;

impl Default for Status {
    fn default() -> Self {
        Self::Clean
    }
}

/// Who runs the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Caller {
    /// A WASI runtime, started with the directories to open.
    #[default]
    Runtime,
    /// A package, which opens the directories itself.
    Package,
}

/// An error with optional hints.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    message: String,
    help: Vec<String>,
    runtime_help: Vec<&'static str>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            status: Status::Failed,
            message: message.into(),
            help: Vec::new(),
            runtime_help: Vec::new(),
        }
    }

    /// A search without a result.
    pub(crate) fn nothing_found(message: impl Into<String>) -> Self {
        Self::new(message).into_problem()
    }

    pub(crate) fn into_problem(self) -> Self {
        Self {
            status: Status::Problems,
            ..self
        }
    }

    /// A command or option that only the native program has. Packages know how to install it.
    pub(crate) fn native_only(what: &str) -> Self {
        let failure = Self::new(format!("{what} is only available in the native program"));
        Self {
            status: Status::NativeOnly,
            ..failure.runtime_help("use the native `callsheet`")
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds a hint that only applies to WASI runtimes.
    pub(crate) fn runtime_help(mut self, help: &'static str) -> Self {
        self.runtime_help.push(help);
        self
    }

    /// The lines for standard error.
    pub(crate) fn report(&self, caller: Caller) -> String {
        let runtime_help = self.runtime_help.iter().filter(|_| caller == Caller::Runtime);
        let help = self.help.iter().map(String::as_str).chain(runtime_help.copied());
        let help = help.map(|help| format!("help: {help}\n"));
        format!("error: {}\n{}", self.message, help.collect::<String>())
    }
}

impl From<callsheet_answers::Failure> for Failure {
    fn from(failure: callsheet_answers::Failure) -> Self {
        let told = Self::new(clean(&failure.to_string()));
        match failure {
            callsheet_answers::Failure::UnknownDialect { .. } => told.help("run `dialects` for the list"),
            callsheet_answers::Failure::Unreadable { .. } => {
                told.runtime_help("the runtime must open the directory, as in `wasmtime run --dir .`")
            }
            callsheet_answers::Failure::Unusable(_) => told.into_problem(),
            _ => told,
        }
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::new(error.to_string()).help("see `--help`")
    }
}
