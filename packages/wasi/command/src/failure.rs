//! Why a command stopped short.

use callsheet_answers::output::text::clean;

/// What is wrong, and what to do about it.
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

    /// The lines for the standard error stream.
    pub(crate) fn report(&self) -> String {
        let help = self.help.iter().map(|help| format!("help: {help}\n"));
        format!("error: {}\n{}", self.message, help.collect::<String>())
    }
}

impl From<callsheet_answers::Failure> for Failure {
    fn from(failure: callsheet_answers::Failure) -> Self {
        let told = Self::new(clean(&failure.to_string()));
        match failure {
            callsheet_answers::Failure::UnknownDialect { .. } => {
                told.help("`dialects` lists those that there are")
            }
            callsheet_answers::Failure::Unreadable { .. } => {
                told.help("only directories that the runtime opens can be seen, as by `wasmtime run --dir .`")
            }
            _ => told,
        }
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Self {
        Self::new(error.to_string()).help("`--help` says what there is")
    }
}
