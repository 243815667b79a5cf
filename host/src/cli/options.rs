//! What can be said to every command.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values;

#[derive(Args, Debug)]
#[command(next_help_heading = "Options for every command")]
pub(crate) struct Options {
    /// Whose rules hold [default: every dialect with a directory here]
    #[arg(long = "as", value_name = "DIALECT", global = true)]
    pub(crate) dialect: Option<String>,
    /// The project
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        global = true,
        hide_default_value = true
    )]
    pub(crate) project: PathBuf,
    /// The home directory [default: yours, shown as ~]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) home: Option<PathBuf>,
    /// Ignore agents in the home directory
    #[arg(long, conflicts_with = "home", global = true)]
    pub(crate) no_home: bool,
    /// The configuration [default: the nearest callsheet.toml upwards from the project]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) config: Option<PathBuf>,
    /// Use no configuration
    #[arg(long, conflicts_with = "config", global = true)]
    pub(crate) no_config: bool,
    /// How to print; sarif, github and gitlab are for check alone
    #[arg(long, value_enum, default_value_t = Output::Text, global = true)]
    pub(crate) format: Output,
    /// When to colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true)]
    pub(crate) color: Color,
    /// No summary, no progress
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Agents as JSON, or @FILE that holds it
    #[arg(long, value_name = "JSON", global = true)]
    pub(crate) agents: Option<String>,
    /// A directory of agents
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) agents_dir: Vec<PathBuf>,
    /// A plugin and its directory
    #[arg(long, value_name = "NAME=DIR", value_parser = values::plugin, global = true)]
    pub(crate) plugin: Vec<(String, PathBuf)>,
    /// A broken file leaves its name without a winner
    #[arg(long, global = true)]
    pub(crate) fail_closed: bool,
    /// Follow links out of the project and the home directory
    #[arg(long, global = true)]
    pub(crate) follow_links: bool,
    /// Run another build of the component
    #[cfg(feature = "jit")]
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) component: Option<PathBuf>,
}

impl Options {
    /// Whether the command line brings agents of its own.
    pub(crate) fn gives_agents(&self) -> bool {
        self.agents.is_some() || !self.agents_dir.is_empty() || !self.plugin.is_empty()
    }
}

/// For whom to print.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Output {
    // For people.
    Text,
    // One line for each finding or agent.
    Concise,
    // For programs: docs/json.md says what it holds.
    Json,
    // For code scanning services and editors.
    Sarif,
    // For the log of a workflow.
    Github,
    // For a report on code quality.
    Gitlab,
}

/// How every command can print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Format {
    Text,
    Concise,
    Json,
}

impl Output {
    /// The format, unless it is one for findings alone.
    pub(crate) fn common(self) -> Option<Format> {
        match self {
            Self::Text => Some(Format::Text),
            Self::Concise => Some(Format::Concise),
            Self::Json => Some(Format::Json),
            Self::Sarif | Self::Github | Self::Gitlab => None,
        }
    }
}

/// When to colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Color {
    // On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}
