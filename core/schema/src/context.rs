//! What agents get in a run besides their prompts and tasks.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The instructions that agents get in a run: of several groups, the first with a file that is there, otherwise the last. A path that ends
/// with `/` is a folder of Markdown files, which does not decide.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ContextRules {
    /// Groups of files in the home directory, in order.
    #[serde(default)]
    pub home: Vec<Vec<String>>,
    /// Groups of files in the project and in each directory above it, in order.
    #[serde(default)]
    pub project: Vec<Vec<String>>,
    /// Names of files in the project that are the user's own.
    #[serde(default)]
    pub personal: Vec<String>,
    /// Whether each directory has a group of its own.
    #[serde(default)]
    pub by_directory: bool,
    /// Whether files import others of the project with `@path`.
    #[serde(default)]
    pub imports: bool,
    /// Whether agents are told the state of the repository.
    #[serde(default)]
    pub repository: bool,
    /// Agents that get neither.
    #[serde(default)]
    pub without: Vec<String>,
}
