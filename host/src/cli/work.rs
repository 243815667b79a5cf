//! Commands that run agents.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::delegation::Surroundings;
use clap::{Args, ValueEnum};
use clap_complete::engine::ArgValueCandidates;
use serde::{Deserialize, Serialize};

use super::candidates;
use super::values::{self, Model};

/// Options that are fixed for a session.
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
pub struct Run {
    /// Agent name
    #[arg(required_unless_present = "resume", add = ArgValueCandidates::new(candidates::agents))]
    pub agent: Option<String>,
    /// Task; `-` reads it from standard input
    #[arg(required_unless_present = "resume")]
    pub task: Vec<String>,
    /// Resume an interrupted session by its ID or file, with its original options; limits and the model may be changed
    #[arg(long, value_name = "SESSION", conflicts_with_all = SAID_THEN)]
    pub resume: Option<PathBuf>,
    /// Run on the workers of a durable engine, given as `restate:URL` with the URL of its ingress; with --resume, follow a session there
    #[arg(long, value_name = "ENGINE", value_parser = values::engine, conflicts_with_all = ["record", "snapshot", "no_save", "otlp", "how", "network"])]
    pub on: Option<String>,
    /// Label of the workers to run on
    #[arg(long, value_name = "NAME", requires = "on", value_parser = values::label)]
    pub label: Option<String>,
    #[command(flatten)]
    pub work: Work,
}

#[derive(Args, Debug)]
pub struct Worker {
    /// Listen on this address
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9080")]
    pub listen: SocketAddr,
    /// Label of the workers with the same tools and checkout
    #[arg(long, value_name = "NAME", value_parser = values::label)]
    pub label: Option<String>,
    /// Public key of the engine; other requests are refused. Required to listen beyond the loopback interface
    #[arg(long, value_name = "KEY")]
    pub identity: Option<String>,
    #[command(flatten)]
    pub confined: Confined,
}

#[derive(Args, Debug)]
pub struct Task {
    /// Task; `-` reads it from standard input
    #[arg(required = true)]
    pub task: Vec<String>,
    /// Agent to start with [default: a coordinator that calls the others]
    #[arg(long, value_name = "NAME", add = ArgValueCandidates::new(candidates::agents))]
    pub agent: Option<String>,
    #[command(flatten)]
    pub work: Work,
}

#[derive(Args, Debug)]
#[command(mut_arg("snapshot", |it| it.hide(true)), mut_arg("transcript", |it| it.hide(true)), mut_arg("json", |it| it.hide(true)), mut_arg("stream", |it| it.hide(true)), mut_arg("view", |it| it.hide(true)))]
pub struct Mcp {
    /// Listen on this address, such as 127.0.0.1:8765, instead of standard input and output
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<SocketAddr>,
    #[command(flatten)]
    pub work: Work,
}

#[derive(Args, Debug)]
pub struct Login {
    /// Server name
    pub server: String,
    /// OAuth client ID, for servers without client registration
    #[arg(long, value_name = "ID")]
    pub client_id: Option<String>,
    /// Loopback port for the sign-in redirect [default: any free port]
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
}

#[derive(Args, Debug)]
#[command(mut_arg("snapshot", |it| it.hide(true)), mut_arg("no_save", |it| it.hide(true)), mut_arg("transcript", |it| it.hide(true)), mut_arg("json", |it| it.hide(true)), mut_arg("stream", |it| it.hide(true)), mut_arg("view", |it| it.hide(true)), mut_arg("record", |it| it.hide(true)))]
pub struct Acp {
    #[command(flatten)]
    pub work: Work,
}

/// Options of commands that run agents. Those of this machine are not sent to others.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// Model, as PROVIDER:NAME, or ALIAS=PROVIDER:NAME for agents that name the alias; `replay:FILE` replays a recording
    #[arg(long = "model", value_name = "MODEL", value_parser = values::model)]
    pub models: Vec<Model>,
    /// Record model responses, for --model replay:FILE
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub record: Option<PathBuf>,
    /// Write a Markdown transcript
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub transcript: Option<PathBuf>,
    /// Send a trace without message contents to this OpenTelemetry collector, such as http://127.0.0.1:4318
    #[arg(long, value_name = "URL")]
    #[serde(skip)]
    pub otlp: Option<String>,
    /// Save the session to this file, outside of `callsheet sessions`
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub snapshot: Option<PathBuf>,
    /// Do not save the session
    #[arg(long, conflicts_with = "snapshot")]
    #[serde(skip)]
    pub no_save: bool,
    /// Show the run on the whole terminal: agents, their calls and results, cost and questions
    #[arg(long, conflicts_with = "json")]
    #[serde(skip)]
    pub view: bool,
    /// Print events as JSON lines, the outcome last
    #[arg(long)]
    #[serde(skip)]
    pub json: bool,
    /// Print the agent's text while it arrives, not only its answer; with `--json`, the pieces of every agent's text
    #[arg(long, conflicts_with = "view")]
    #[serde(skip)]
    pub stream: bool,
    /// Which tool calls need no confirmation
    #[arg(long, value_enum, value_name = "MODE")]
    pub permission_mode: Option<PermissionMode>,
    /// Allow a tool without confirmation, such as `Bash(git *)`
    #[arg(long, value_name = "TOOL", value_parser = crate::config::entry)]
    pub allow: Vec<String>,
    /// Limit each agent to its caller's permissions
    #[arg(long)]
    pub attenuate: bool,
    #[command(flatten)]
    #[serde(skip)]
    pub confined: Confined,
    #[command(flatten)]
    pub limits: Limits,
    /// Whether the first agent has no instructions of its own
    #[arg(skip)]
    #[serde(skip)]
    pub is_baseline: bool,
    /// What agents are told about where they work
    #[arg(skip)]
    #[serde(skip)]
    pub told: Told,
}

/// What agents are told about where they work.
#[derive(Clone, Debug, Default)]
pub enum Told {
    /// What is so now; if a recording answers, what they were told then.
    #[default]
    Usual,
    /// The same, without what only this user has.
    Shared,
    /// What a recording has.
    Recorded(Option<Surroundings>),
}

impl Work {
    /// The model of the first agent. The last one counts.
    pub fn model(&self) -> Option<&str> {
        let mut models = self.models.iter().rev();
        models.find_map(|model| match model {
            Model::Named(name) => Some(&**name),
            Model::Alias(..) => None,
        })
    }

    /// The aliases of this run, and their models.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.models.iter().filter_map(|model| match model {
            Model::Named(_) => None,
            Model::Alias(word, name) => Some((&**word, &**name)),
        })
    }
}

/// Limits of a session.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Maximum depth of nested agent calls [default: 3]
    #[arg(long, value_name = "NUMBER")]
    pub depth: Option<u32>,
    /// Maximum turns of one agent [default: 50]
    #[arg(long, value_name = "NUMBER")]
    pub turns: Option<u32>,
    /// Maximum turns in total [default: 500]
    #[arg(long, value_name = "NUMBER")]
    pub total_turns: Option<u32>,
    /// Maximum number of called agents [default: 100]
    #[arg(long, value_name = "NUMBER")]
    pub children: Option<u32>,
    /// Maximum number of parallel agents [default: 10]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub parallel: Option<u32>,
    /// Maximum tokens in total
    #[arg(long, value_name = "NUMBER")]
    pub tokens: Option<u64>,
    /// Maximum cost (needs known prices)
    #[arg(long, value_name = "AMOUNT", value_parser = values::millionths)]
    pub cost: Option<u64>,
    /// Maximum tokens of one request to a model: earlier tool results are left out before it has more
    #[arg(long, value_name = "NUMBER")]
    pub context: Option<u64>,
    /// Maximum time: `90s`, `10m` or `2h`
    #[arg(long, value_name = "TIME", value_parser = values::nanoseconds)]
    pub time: Option<u64>,
    /// Maximum bytes of a tool result [default: 100000]
    #[arg(long, value_name = "BYTES")]
    pub result_bytes: Option<u32>,
}

#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Confined {
    /// Confine commands to the agent's permissions, and MCP servers to the project [default: best; require if CI is set]
    #[arg(long = "confine", value_enum, value_name = "HOW")]
    pub how: Option<Confine>,
    /// Give all commands network access
    #[arg(long)]
    pub network: bool,
}

/// How commands are confined.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Confine {
    /// Do not confine
    Off,
    /// Confine as far as the system allows
    Best,
    /// Fail if the system cannot confine
    Require,
}

/// Which tool calls need no confirmation.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize, ValueEnum)]
pub enum PermissionMode {
    // No changes, with or without confirmation.
    Plan,
    // Calls that change nothing.
    Default,
    // These, and changes of project files.
    AcceptEdits,
    // Everything.
    Bypass,
}
