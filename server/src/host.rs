//! What the server needs of the program around it.

use std::fmt;
use std::path::{Path, PathBuf};

use callsheet_contract::documents::{
    Annotations, Converted, Dialect, Draft, Found, Guessed, InvalidName, KeyChange, Parsed, Rule, Seen,
};
use callsheet_contract::projects::{Completions, Exception, Graph, Renaming, Report, Request, Spot};
use callsheet_contract::types::{Edit, Kind, Level};
use callsheet_report::report::{Checked, FixedFile};
use callsheet_report::text::clean;
use gen_lsp_types::Uri;
use lsp_server::Message;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The problem.
    pub message: String,
    /// Advice.
    pub help: Vec<String>,
}

impl Failure {
    /// Without advice.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: Vec::new(),
        }
    }
}

impl From<InvalidName> for Failure {
    fn from(invalid: InvalidName) -> Self {
        let similar = invalid.similar.into_iter();
        Self {
            message: clean(&invalid.problem),
            help: similar.map(|name| format!("use `{}`", clean(&name))).collect(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.message)
    }
}

/// The files of the editor, and the folders in which they are.
pub trait Host {
    /// Opens a folder.
    ///
    /// Fails if it is not a directory.
    fn open(&self, directory: &Path) -> Result<Box<dyn Folder>, Failure>;

    /// The folder for an editor without one.
    fn fallback(&self) -> PathBuf;

    /// The path of an address; none for what is not a file.
    fn path(&self, address: &Uri) -> Option<PathBuf>;

    /// The address of a path.
    fn address(&self, path: &Path) -> Option<Uri>;

    /// The path of a file or a directory without links. Neither a new file nor its directories need exist.
    fn real(&self, path: &Path) -> Option<PathBuf>;

    /// Whether a directory exists.
    fn is_directory(&self, path: &Path) -> bool;

    /// Whether a file, a directory or a link exists.
    fn exists(&self, path: &Path) -> bool;

    /// Sends a message to the client, which may have ended.
    fn send(&self, message: Message);

    /// Reports a failure that answers no request.
    fn complain(&self, failure: &Failure);
}

/// The answers of the component about the files of a folder, which another thread may ask for.
pub trait Answers {
    /// From now on, reads these contents instead of the file's; with none, the file itself again.
    fn set_unsaved(&mut self, path: &Path, contents: Option<&[u8]>);

    /// Checks the requested files, or the whole project.
    ///
    /// Fails if a dialect is unknown, or a path does not exist.
    fn check(&mut self, request: &Request) -> Result<Report, Failure>;

    /// What the files of the project define and name.
    ///
    /// Fails if the directory does not exist any more.
    fn graph(&mut self) -> Result<Graph, Failure>;
}

/// A folder of the editor. Its answers are the component's, its settings those of the project.
///
/// Functions fail where those of the component do. Paths in arguments and answers are names, as the component uses them.
pub trait Folder: Answers {
    /// Another instance for one look, without the unsaved contents.
    fn another(&self) -> Result<Box<dyn Answers + Send>, Failure>;

    /// Reads the configuration.
    ///
    /// Fails if it cannot be used; then the last one applies.
    fn configure(&mut self) -> Result<(), Failure>;

    /// A request about these files, or about all.
    fn request(&self, paths: Vec<String>) -> Request;

    /// Removes what is not checked unless it is named.
    fn leave_out(&self, report: &mut Report);

    /// A report with the configured severities.
    fn configured(&self, report: Report) -> Checked;

    /// Whether findings of a rule are not reported in a file.
    fn is_off(&self, rule: &str, path: &str) -> bool;

    /// The path of a name, possibly with links; none for a name outside of what the component may see.
    fn locate(&mut self, name: &str) -> Option<PathBuf>;

    /// The contents of a file as stored.
    fn read(&mut self, name: &str) -> Result<Vec<u8>, Failure>;

    /// Every dialect with rules for files of this kind.
    fn dialects(&mut self, kind: Kind) -> Result<Vec<Dialect>, Failure>;

    /// Every rule.
    fn rules(&mut self) -> Result<Vec<Rule>, Failure>;

    /// What a text without a path looks like.
    fn guess(&mut self, contents: &[u8]) -> Result<Option<Guessed>, Failure>;

    /// A file as its dialect reads it.
    fn parse(&mut self, found: &Found, contents: &[u8]) -> Result<Parsed, Failure>;

    /// What an editor shows in a file besides its text.
    fn annotate(&mut self, found: &Found, contents: &[u8]) -> Result<Annotations, Failure>;

    /// An edit that suppresses a finding of a rule from the byte `at` on.
    fn suppress(
        &mut self,
        found: &Found,
        contents: &[u8],
        rule: &str,
        at: u32,
    ) -> Result<Option<Edit>, Failure>;

    /// How every reader reads a file.
    fn readings(&mut self, path: &str, contents: &[u8]) -> Result<Vec<Seen>, Failure>;

    /// What fits a place in a file.
    fn complete(&mut self, spot: &Spot) -> Result<Completions, Failure>;

    /// The files with their safe fixes, except for these rules.
    fn fix(&mut self, request: &Request, exceptions: &[Exception]) -> Result<Vec<FixedFile>, Failure>;

    /// What another name changes.
    fn rename(&mut self, path: &str, to: &str) -> Result<Renaming, Failure>;

    /// A definition in another dialect, without losses.
    fn convert(&mut self, path: &str, contents: &[u8], dialect: &str, to: &str)
    -> Result<Converted, Failure>;

    /// The file of a new definition, or why none can have this name.
    fn name_file(&mut self, name: &str, dialect: &str) -> Result<Result<String, InvalidName>, Failure>;

    /// The text of a new file.
    fn render(&mut self, draft: &Draft, dialect: &str) -> Result<String, Failure>;

    /// The edits of a file that change these keys.
    fn revise(&mut self, contents: &[u8], dialect: &str, changes: &[KeyChange])
    -> Result<Vec<Edit>, Failure>;

    /// The directory for new files of a dialect, if it has one for this level.
    fn own_directory(&mut self, dialect: &str, kind: Kind, level: Level) -> Result<Option<String>, Failure>;
}
