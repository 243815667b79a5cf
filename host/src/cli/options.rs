//! Options of every command.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCandidates;

use super::{candidates, values};

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options for every command")]
pub struct Options {
    /// Dialect to use [default: every dialect in use in the project]
    #[arg(long = "as", value_name = "DIALECT", global = true, add = ArgValueCandidates::new(candidates::dialects))]
    pub dialect: Option<String>,
    /// Project directory [default: the current one]
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        global = true,
        hide_default_value = true
    )]
    pub project: PathBuf,
    /// Home directory [default: yours, shown as ~]
    #[arg(long, value_name = "DIR", global = true)]
    pub home: Option<PathBuf>,
    /// Ignore agents in the home directory
    #[arg(long, conflicts_with = "home", global = true)]
    pub no_home: bool,
    /// Configuration file [default: the nearest callsheet.toml in the project or above]
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// Ignore configuration files
    #[arg(long, conflicts_with = "config", global = true)]
    pub no_config: bool,
    /// Output format; sarif, github and gitlab are for `check`, dot and mermaid for `graph`, cyclonedx for `inventory`, junit and markdown for `test`, html for `test` and `sessions export`
    #[arg(long, value_enum, default_value_t = Output::Text, global = true)]
    pub format: Output,
    /// When to use colors
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto, global = true)]
    pub color: Color,
    /// Hide the summary and progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Agents as JSON, or @FILE with JSON
    #[arg(long, value_name = "JSON", global = true)]
    pub agents: Option<String>,
    /// Additional directory of agents
    #[arg(long, value_name = "DIR", global = true)]
    pub agents_dir: Vec<PathBuf>,
    /// Plugin name and directory
    #[arg(long, value_name = "NAME=DIR", value_parser = values::plugin, global = true)]
    pub plugin: Vec<(String, PathBuf)>,
    /// Do not fall back when the preferred file is broken
    #[arg(long, global = true)]
    pub fail_closed: bool,
    /// Follow links out of the project and the home directory
    #[arg(long, global = true)]
    pub follow_links: bool,
    /// Use another build of the component
    #[cfg(feature = "jit")]
    #[arg(long, value_name = "FILE", global = true)]
    pub component: Option<PathBuf>,
}

impl Options {
    /// Whether the command line defines agents.
    pub fn gives_agents(&self) -> bool {
        self.agents.is_some() || !self.agents_dir.is_empty() || !self.plugin.is_empty()
    }
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Output {
    // For people.
    Text,
    // One line for each finding or agent.
    Concise,
    // For programs, described in docs/json.md.
    Json,
    // For code scanning services and editors.
    Sarif,
    // For workflow logs.
    Github,
    // For code quality reports.
    Gitlab,
    // For Graphviz.
    Dot,
    // For Markdown with diagrams.
    Mermaid,
    // For test reports of pipelines.
    Junit,
    // For comments and summaries of pipelines.
    Markdown,
    // A page of its own.
    Html,
    // For bills of materials.
    #[value(name = "cyclonedx")]
    CycloneDx,
}

/// A format of every command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    Text,
    Concise,
    Json,
}

impl Output {
    /// The format, unless it is for one command only.
    pub fn common(self) -> Option<Format> {
        match self {
            Self::Text => Some(Format::Text),
            Self::Concise => Some(Format::Concise),
            Self::Json => Some(Format::Json),
            Self::Sarif
            | Self::Github
            | Self::Gitlab
            | Self::Dot
            | Self::Mermaid
            | Self::Junit
            | Self::Markdown
            | Self::Html
            | Self::CycloneDx => None,
        }
    }
}

/// What files define.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Kind {
    Agent,
    Skill,
    Command,
}

impl From<Kind> for crate::types::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Agent => Self::Agent,
            Kind::Skill => Self::Skill,
            Kind::Command => Self::Command,
        }
    }
}

/// When to use colors.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    // On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}
