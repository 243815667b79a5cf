//! Errors of commands.

use callsheet_answers::output::text::clean;

/// An error with an optional hint.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    help: Vec<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: Vec::new(),
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The lines for standard error.
    pub(crate) fn report(&self) -> String {
        let help = self.help.iter().map(|help| format!("help: {help}\n"));
        format!("error: {}\n{}", self.message, help.collect::<String>())
    }
}

impl From<callsheet_answers::Failure> for Failure {
    fn from(failure: callsheet_answers::Failure) -> Self {
        let told = Self::new(clean(&failure.to_string()));
        match failure {
            callsheet_answers::Failure::UnknownDialect { .. } => told.help("run `dialects` for the list"),
            callsheet_answers::Failure::Unreadable { .. } => {
                told.help("the runtime must open the directory, as in `wasmtime run --dir .`")
            }
            _ => told,
        }
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::new(error.to_string()).help("see `--help`")
    }
}
