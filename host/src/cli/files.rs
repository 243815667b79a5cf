//! Commands that read and write agent files.

use std::path::PathBuf;

use callsheet::fix::Which;
use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCandidates;

use super::{candidates, values};

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Files and directories, or - for standard input [default: the whole project]
    pub(crate) paths: Vec<PathBuf>,
    /// Path of the file on standard input; implies -
    #[arg(long, value_name = "PATH", conflicts_with_all = ["readers", "baseline", "watch"])]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Also check all files for this tool; repeatable [default: `targets` in callsheet.toml]
    #[arg(long, value_name = "DIALECT", add = ArgValueCandidates::new(candidates::dialects))]
    pub(crate) target: Vec<String>,
    /// Apply safe fixes and report remaining problems
    #[arg(long, group = "fixing")]
    pub(crate) fix: bool,
    /// Show what --fix would change, without writing
    #[arg(long, group = "fixing")]
    pub(crate) diff: bool,
    /// With --fix or --diff: also apply fixes that may change intent
    #[arg(long, requires = "fixing")]
    pub(crate) unsafe_fixes: bool,
    /// Show which releases load each file, and why not; with names, only these tools or releases
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "", conflicts_with_all = ["fix", "diff", "baseline"])]
    pub(crate) readers: Option<Vec<String>>,
    /// Report only findings that are not in this file; create it with the current findings if it is missing
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) baseline: Option<PathBuf>,
    /// Add comments to the files that suppress the errors and warnings found
    #[arg(long, conflicts_with_all = ["diff", "readers", "baseline", "watch", "no_ignore", "stdin_filename"])]
    pub(crate) add_ignore: bool,
    /// Also report findings suppressed by comments
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Report only these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', add = ArgValueCandidates::new(candidates::rules))]
    pub(crate) select: Vec<String>,
    /// Do not report these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', add = ArgValueCandidates::new(candidates::rules))]
    pub(crate) ignore: Vec<String>,
    /// Minimum severity to report
    #[arg(long, value_name = "SEVERITY")]
    pub(crate) severity: Option<Gravity>,
    /// Show every finding instead of the first ones of each rule
    #[arg(long)]
    pub(crate) show_all: bool,
    /// Check again whenever a file changes, until interrupted
    #[arg(long, conflicts_with_all = ["fix", "diff", "readers", "baseline", "output_file"])]
    pub(crate) watch: bool,
    /// Count the findings of each rule instead of showing them
    #[arg(long, conflicts_with_all = ["diff", "readers"])]
    pub(crate) statistics: bool,
    /// Exit with status 0 even if there are problems
    #[arg(long)]
    pub(crate) exit_zero: bool,
    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,
}

/// A minimum severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Gravity {
    Error,
    Warning,
    Note,
}

impl Check {
    pub(crate) fn which(&self) -> Which {
        match self.unsafe_fixes {
            true => Which::All,
            false => Which::Safe,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct New {
    /// Name of the agent and its file
    pub(crate) name: Option<String>,
    /// When to use it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<String>,
    /// Tools, separated by commas; `*` for all, empty for none [default: the dialect's default]
    #[arg(long, value_name = "TOOLS")]
    pub(crate) tools: Option<String>,
    /// Model
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Display color
    #[arg(long, value_name = "COLOR")]
    pub(crate) agent_color: Option<String>,
    /// Set another field, spelled as in the dialect
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::assignment)]
    pub(crate) set: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) prompt: Prompt,
    /// Template: researcher, reviewer, tester or writer
    #[arg(long, value_name = "NAME")]
    pub(crate) template: Option<String>,
    /// Create it in the home directory, for all projects
    #[arg(long)]
    pub(crate) user: bool,
    /// Open it in your editor before writing
    #[arg(long, short)]
    pub(crate) edit: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Prompt {
    /// System prompt; `-` for standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<String>,
    /// File with the system prompt; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    pub(crate) prompt_file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Edit {
    /// Agent name
    #[arg(add = ArgValueCandidates::new(candidates::agents))]
    pub(crate) name: String,
    /// Set a field
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// Remove a field
    #[arg(long, value_name = "KEY")]
    pub(crate) unset: Vec<String>,
    #[command(flatten)]
    pub(crate) prompt: Prompt,
    /// Show what would change, without writing
    #[arg(long)]
    pub(crate) diff: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Rename {
    /// Agent name; skill:NAME and command:NAME for skills and commands
    #[arg(add = ArgValueCandidates::new(candidates::agents))]
    pub(crate) old: String,
    /// New name
    pub(crate) new: String,
    /// Show what would change, without writing
    #[arg(long)]
    pub(crate) diff: bool,
    /// Do not ask for confirmation
    #[arg(long, short, conflicts_with = "diff")]
    pub(crate) yes: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// File, agent name, or directory of agent files
    pub(crate) what: String,
    /// Dialect to convert to; --as is the dialect to convert from
    #[arg(long, value_name = "DIALECT", add = ArgValueCandidates::new(candidates::dialects))]
    pub(crate) to: String,
    /// Write the result to that dialect's folder in the project
    #[arg(long)]
    pub(crate) write: bool,
    /// Convert even if tools or limits are lost; permissions are never widened
    #[arg(long)]
    pub(crate) allow_loss: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Trust {
    /// File or agent name
    #[arg(required_unless_present = "list")]
    pub(crate) what: Option<String>,
    /// List trusted files
    #[arg(long, conflicts_with_all = ["what", "revoke", "yes"])]
    pub(crate) list: bool,
    /// Revoke trust
    #[arg(long, conflicts_with = "yes")]
    pub(crate) revoke: bool,
    /// Do not ask for confirmation
    #[arg(long, short)]
    pub(crate) yes: bool,
}
