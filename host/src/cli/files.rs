//! What is done to files.

use std::path::PathBuf;

use callsheet::fix::Which;
use clap::{Args, ValueEnum};

use super::values;

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Files and directories; without any, the whole project
    pub(crate) paths: Vec<PathBuf>,
    /// Check for this tool, too, whoever owns the files; may be repeated [default: `targets` of callsheet.toml]
    #[arg(long, value_name = "DIALECT")]
    pub(crate) target: Vec<String>,
    /// Apply safe fixes and report remaining problems
    #[arg(long, group = "mending")]
    pub(crate) fix: bool,
    /// Show what --fix would do, and write nothing
    #[arg(long, group = "mending")]
    pub(crate) diff: bool,
    /// With --fix or --diff: also apply fixes that may change intent
    #[arg(long, requires = "mending")]
    pub(crate) unsafe_fixes: bool,
    /// Say which releases load each file, and why not; with names, only these tools or releases
    #[arg(long, value_name = "NAMES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_value = "", conflicts_with_all = ["fix", "diff", "baseline"])]
    pub(crate) readers: Option<Vec<String>>,
    /// Report only what this file does not accept; without such a file, accept what is there and write it
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(crate) baseline: Option<PathBuf>,
    /// Report what comments in the files suppress, too
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Report only these rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) select: Vec<String>,
    /// Report all rules but these, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,
    /// Report nothing that is less grave than this
    #[arg(long, value_name = "SEVERITY")]
    pub(crate) severity: Option<Gravity>,
    /// Show every finding, however often its rule has been shown
    #[arg(long)]
    pub(crate) show_all: bool,
    /// Count the findings of each rule instead of showing them
    #[arg(long, conflicts_with_all = ["diff", "readers"])]
    pub(crate) statistics: bool,
    /// Succeed whatever is found
    #[arg(long)]
    pub(crate) exit_zero: bool,
    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,
}

/// How grave a finding is at least.
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
    /// What it is to be called by; its file gets this name, too
    pub(crate) name: Option<String>,
    /// When to use it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) description: Option<String>,
    /// The tools it may use, with commas; `*` for all, nothing for none [default: what the tool gives by itself]
    #[arg(long, value_name = "TOOLS")]
    pub(crate) tools: Option<String>,
    /// The model
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The colour it is shown in
    #[arg(long, value_name = "COLOR")]
    pub(crate) agent_color: Option<String>,
    /// Any other key, as the dialect spells it
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::assignment)]
    pub(crate) set: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) prompt: Prompt,
    /// What to start from: researcher, reviewer, tester or writer
    #[arg(long, value_name = "NAME")]
    pub(crate) template: Option<String>,
    /// For all of your projects, in the home directory
    #[arg(long)]
    pub(crate) user: bool,
    /// Open it in your editor before it is written
    #[arg(long, short)]
    pub(crate) edit: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Prompt {
    /// What it is to do; `-` for standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<String>,
    /// A file that says what it is to do; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "prompt")]
    pub(crate) prompt_file: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Edit {
    /// What it is called by
    pub(crate) name: String,
    /// What a key is to say
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::assignment)]
    pub(crate) set: Vec<(String, String)>,
    /// A key to take out
    #[arg(long, value_name = "KEY")]
    pub(crate) unset: Vec<String>,
    #[command(flatten)]
    pub(crate) prompt: Prompt,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub(crate) diff: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Convert {
    /// A file, an agent's name, or a directory of agent files
    pub(crate) what: String,
    /// The dialect to say it in; --as says which one it is in now
    #[arg(long, value_name = "DIALECT")]
    pub(crate) to: String,
    /// Write it where that dialect looks in the project
    #[arg(long)]
    pub(crate) write: bool,
    /// Go on where tools or limits are lost; more is never granted
    #[arg(long)]
    pub(crate) allow_loss: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Trust {
    /// A file, or what an agent is called by
    #[arg(required_unless_present = "list")]
    pub(crate) what: Option<String>,
    /// List what is trusted
    #[arg(long, conflicts_with_all = ["what", "revoke", "yes"])]
    pub(crate) list: bool,
    /// Trust it no more
    #[arg(long, conflicts_with = "yes")]
    pub(crate) revoke: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}
