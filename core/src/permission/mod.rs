//! The permissions of an agent: its tools, and the allowed calls of each.
//!
//! A call is allowed only if that can be proven. Restricted calls that cannot be analyzed are denied, with a reason for the model.

mod awk;
mod commands;
mod grant;
mod guards;
mod leave;
mod paths;
mod pattern;
mod place;
mod reach;
mod reserved;
mod rights;
mod runner_table;
mod runners;
mod safe;
mod sed;
mod shell;
mod specifier;
mod table;
mod variables;

pub(crate) use grant::{BackgroundTool, background_tool, changes_nothing, covers, delegates, inherits};
pub use grant::{Grant, grant, grant_in_mode};
pub(crate) use leave::{edits_the_project, files_among, is_among};
pub(crate) use paths::matches;
pub use reach::Reach;
pub(crate) use reach::fetches;
pub(crate) use reserved::Reserved;
pub use rights::{Call, Granted, Layer, Origin, Rights};

use alloc::format;
use alloc::string::String;

use crate::dialect::CommandPatterns;

/// Whether every command of a line is allowed by patterns, and no file is read or written by redirection; if not, why not.
///
/// ```
/// use callsheet_core::dialect::CommandPatterns;
/// use callsheet_core::permission::allow_command;
///
/// let patterns = ["git *".to_owned()];
/// assert!(allow_command(&patterns, CommandPatterns::Prefix, "git log | git shortlog").is_ok());
/// assert!(allow_command(&patterns, CommandPatterns::Prefix, "git status; rm -rf /").is_err());
/// ```
pub fn allow_command(patterns: &[String], style: CommandPatterns, line: &str) -> Result<(), String> {
    let commands = commands::Commands {
        patterns,
        style,
        places: None,
        file: &|_, path| Err(format!("`{path}` is a file, and no file may be accessed")),
    };
    commands.allow(line)
}
