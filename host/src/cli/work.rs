//! What is done by agents, and how.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values;

/// What holds for all of a session.
pub(super) const SAID_THEN: [&str; 7] = [
    "agent",
    "task",
    "snapshot",
    "no_save",
    "permission_mode",
    "allow",
    "attenuate",
];

#[derive(Args, Debug)]
pub(crate) struct Run {
    /// What the agent is called by
    #[arg(required_unless_present = "resume")]
    pub(crate) agent: Option<String>,
    /// What it is to do; `-` reads it from standard input
    #[arg(required_unless_present = "resume")]
    pub(crate) task: Vec<String>,
    /// Resume a session that stopped, by its ID or file; other bounds and another model may be given
    #[arg(long, value_name = "SESSION", conflicts_with_all = SAID_THEN)]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) work: Work,
}

#[derive(Args, Debug)]
pub(crate) struct Task {
    /// What is to be done; `-` reads it from standard input
    #[arg(required = true)]
    pub(crate) task: Vec<String>,
    /// Who is to see to it [default: a coordinator that calls the others]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) work: Work,
}

#[derive(Args, Debug)]
#[command(mut_arg("snapshot", |it| it.hide(true)), mut_arg("no_save", |it| it.hide(true)), mut_arg("transcript", |it| it.hide(true)), mut_arg("json", |it| it.hide(true)))]
pub(crate) struct Mcp {
    /// Listen here, such as 127.0.0.1:8765, instead of serving one client over standard input and output
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) work: Work,
}

/// How work is done.
#[derive(Args, Debug)]
pub(crate) struct Work {
    /// The model, as PROVIDER:NAME; `replay:FILE` answers from a recording
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// Write down what models answer, for --model replay:FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write down, as Markdown, what everybody says and does
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    /// Save the session to this file instead of where `callsheet sessions` looks
    #[arg(long, value_name = "FILE")]
    pub(crate) snapshot: Option<PathBuf>,
    /// Do not save the session
    #[arg(long, conflicts_with = "snapshot")]
    pub(crate) no_save: bool,
    /// Print what happens as JSON lines, the answer last
    #[arg(long)]
    pub(crate) json: bool,
    /// What is done without asking
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) permission_mode: Option<PermissionMode>,
    /// A tool that may be used without asking, such as `Bash(git *)`
    #[arg(long, value_name = "TOOL")]
    pub(crate) allow: Vec<String>,
    /// No agent may what its caller may not
    #[arg(long)]
    pub(crate) attenuate: bool,
    /// Confine commands and MCP servers to the agent's rights [default: best; require if CI is set]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) confine: Option<Confine>,
    /// Let all confined commands use the network
    #[arg(long)]
    pub(crate) network: bool,
    /// How deep agents may call agents [default: 3]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) depth: Option<u32>,
    /// The most turns of one agent [default: 50]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) turns: Option<u32>,
    /// The most turns in all [default: 500]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) total_turns: Option<u32>,
    /// The most agents called in all [default: 100]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) children: Option<u32>,
    /// The most agents at work at once [default: 10]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) parallel: Option<u32>,
    /// The most tokens in all
    #[arg(long, value_name = "NUMBER")]
    pub(crate) tokens: Option<u64>,
    /// Maximum cost (needs known prices)
    #[arg(long, value_name = "AMOUNT", value_parser = values::millionths)]
    pub(crate) cost: Option<u64>,
    /// The longest that it may take: `90s`, `10m` or `2h`
    #[arg(long, value_name = "TIME", value_parser = values::nanoseconds)]
    pub(crate) time: Option<u64>,
    /// The most bytes of one tool's result [default: 100000]
    #[arg(long, value_name = "BYTES")]
    pub(crate) result_bytes: Option<u32>,
}

/// How commands are confined.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Confine {
    /// Do not confine
    Off,
    /// Confine as far as the system allows
    Best,
    /// Fail if the system cannot confine
    Require,
}

/// What is done without asking.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum PermissionMode {
    // Nothing may be changed, asked or not.
    Plan,
    // What changes nothing.
    Default,
    // That, and to change files of the project.
    AcceptEdits,
    // Everything.
    Bypass,
}
