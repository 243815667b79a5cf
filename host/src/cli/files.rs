//! Commands that read and write agent files.

use std::path::PathBuf;

use crate::fix::Which;
use clap::{Args, ValueEnum};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};

use super::{Repos, candidates, values};

#[derive(Args, Debug)]
#[command(mut_arg("repos", |arg| arg.conflicts_with_all(["paths", "stdin_filename", "fixing", "readers", "baseline", "add_ignore", "watch", "statistics", "show_all"])))]
pub struct Check {
    /// Files and directories, or - for standard input [default: the whole project]
    pub paths: Vec<PathBuf>,
    /// Path of the file on standard input; implies -
    #[arg(long, value_name = "PATH", conflicts_with_all = ["readers", "baseline", "watch"])]
    pub stdin_filename: Option<PathBuf>,
    /// Also check all files for this tool; repeatable [default: `targets` in callsheet.toml]
    #[arg(long, value_name = "DIALECT", add = ArgValueCandidates::new(candidates::dialects))]
    pub target: Vec<String>,
    /// Apply safe fixes and report remaining problems
    #[arg(long, group = "fixing")]
    pub fix: bool,
    /// Show what --fix would change, without writing
    #[arg(long, group = "fixing")]
    pub diff: bool,
    /// With --fix or --diff: also apply fixes that may change intent
    #[arg(long, requires = "fixing")]
    pub unsafe_fixes: bool,
    /// Show which releases load each file, and why others do not; with names, only these tools or releases
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "", conflicts_with_all = ["fix", "diff", "baseline"])]
    pub readers: Option<Vec<String>>,
    /// Report only findings that are not in this baseline file; if it does not exist, create it from the current findings
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub baseline: Option<PathBuf>,
    /// Add comments that suppress the errors and warnings found
    #[arg(long, conflicts_with_all = ["diff", "readers", "baseline", "watch", "no_ignore", "stdin_filename"])]
    pub add_ignore: bool,
    /// Also report findings suppressed by comments
    #[arg(long)]
    pub no_ignore: bool,
    /// Report only these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', add = ArgValueCandidates::new(candidates::rules))]
    pub select: Vec<String>,
    /// Do not report these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', add = ArgValueCandidates::new(candidates::rules))]
    pub ignore: Vec<String>,
    /// Minimum severity to report
    #[arg(long, value_name = "SEVERITY")]
    pub severity: Option<Gravity>,
    /// Show every finding instead of the first few for each rule
    #[arg(long)]
    pub show_all: bool,
    /// Check again whenever a file changes, until interrupted
    #[arg(long, conflicts_with_all = ["fix", "diff", "readers", "baseline", "output_file"])]
    pub watch: bool,
    /// Count the findings of each rule instead of showing them
    #[arg(long, conflicts_with_all = ["diff", "readers"])]
    pub statistics: bool,
    /// Exit with status 0 even if there are problems
    #[arg(long)]
    pub exit_zero: bool,
    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
    #[command(flatten)]
    pub many: Repos,
}

/// A minimum severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Gravity {
    Error,
    Warning,
    Note,
}

impl Check {
    pub fn which(&self) -> Which {
        if self.unsafe_fixes {
            Which::All
        } else {
            Which::Safe
        }
    }
}

#[derive(Args, Debug)]
pub struct New {
    /// Name of the agent and its file, or skill:NAME, command:NAME
    pub name: Option<String>,
    /// When to use it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub description: Option<String>,
    /// Tools, separated by commas; `*` for all, empty for none [default: the dialect's default]
    #[arg(long, value_name = "TOOLS")]
    pub tools: Option<String>,
    /// Model
    #[arg(long)]
    pub model: Option<String>,
    /// Display color
    #[arg(long, value_name = "COLOR")]
    pub agent_color: Option<String>,
    /// Set another field, spelled as in the dialect
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::assignment)]
    pub set: Vec<(String, String)>,
    #[command(flatten)]
    pub prompt: Prompt,
    /// Template: researcher, reviewer, tester or writer
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// Create it in the home directory, for all projects
    #[arg(long)]
    pub user: bool,
    /// Open it in your editor before writing
    #[arg(long, short)]
    pub edit: bool,
}

#[derive(Args, Debug)]
pub struct Prompt {
    /// System prompt; `-` for standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// File with the system prompt; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    pub prompt_file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Edit {
    /// Agent name, or skill:NAME, command:NAME
    #[arg(add = ArgValueCompleter::new(candidates::own_names))]
    pub name: String,
    /// Set a field
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::assignment)]
    pub set: Vec<(String, String)>,
    /// Remove a field
    #[arg(long, value_name = "KEY")]
    pub unset: Vec<String>,
    #[command(flatten)]
    pub prompt: Prompt,
    /// Show what would change, without writing
    #[arg(long)]
    pub diff: bool,
}

#[derive(Args, Debug)]
pub struct Rename {
    /// Agent name; skill:NAME and command:NAME for skills and commands
    #[arg(add = ArgValueCompleter::new(candidates::own_names))]
    pub old: String,
    /// New name
    pub new: String,
    /// Show what would change, without writing
    #[arg(long)]
    pub diff: bool,
    /// Do not ask for confirmation
    #[arg(long, short, conflicts_with = "diff")]
    pub yes: bool,
}

#[derive(Args, Debug)]
pub struct Build {
    /// Report compiled files that differ from their sources, without writing
    #[arg(long)]
    pub check: bool,
    /// Replace files that were edited or that `build` did not write, and remove edited files without a source
    #[arg(long, conflicts_with = "check")]
    pub force: bool,
    /// Compile again whenever a source changes, until interrupted
    #[arg(long, conflicts_with = "check")]
    pub watch: bool,
}

#[derive(Args, Debug)]
pub struct Convert {
    /// File, name, or directory of files
    #[arg(add = ArgValueCompleter::new(candidates::names_and_files))]
    pub what: String,
    /// Target dialect, `skill:DIALECT`, `agent:DIALECT`, or `agent-plugins` for a manifest; --as sets the source dialect
    #[arg(long, value_name = "DIALECT", add = ArgValueCandidates::new(candidates::dialects))]
    pub to: String,
    /// Write the result to that dialect's folder in the project
    #[arg(long)]
    pub write: bool,
    /// Convert even if tools or limits are lost; permissions are never widened
    #[arg(long)]
    pub allow_loss: bool,
}

#[derive(Args, Debug)]
pub struct Trust {
    /// File or agent name
    #[arg(required_unless_present = "list", add = ArgValueCompleter::new(candidates::agents_and_files))]
    pub what: Option<String>,
    /// List trusted files
    #[arg(long, conflicts_with_all = ["what", "revoke", "yes"])]
    pub list: bool,
    /// Revoke trust
    #[arg(long, conflicts_with = "yes")]
    pub revoke: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    pub yes: bool,
}
