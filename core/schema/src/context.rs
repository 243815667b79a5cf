//! What agents get in a run besides their prompts and tasks.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The instructions that agents get in a run: of several groups, the first with a file that is there, otherwise the last. A path such as
/// `rules/**/*.md` is for all such files in a folder, which do not decide.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ContextRules {
    /// Groups of files in the home directory, in order.
    #[serde(default)]
    pub home: Vec<Vec<String>>,
    /// Groups of files in the project and in each directory above it, in order.
    #[serde(default)]
    pub project: Vec<Vec<String>>,
    /// Files of the project itself, after those of the groups.
    #[serde(default)]
    pub here: Vec<String>,
    /// Names of files in the project that are the user's own.
    #[serde(default)]
    pub personal: Vec<String>,
    /// Whether each directory has a group of its own.
    #[serde(default)]
    pub by_directory: bool,
    /// Files in the project that import others of it with `@path`, as do the imported ones.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Whether comments in lines of their own are left out.
    #[serde(default)]
    pub hides_comments: bool,
    /// Whether agents that others call get instructions only if their files ask for them.
    #[serde(default)]
    pub on_request: bool,
    /// Whether agents are told the state of the repository.
    #[serde(default)]
    pub repository: bool,
    /// Agents that get neither.
    #[serde(default)]
    pub without: Vec<String>,
}
