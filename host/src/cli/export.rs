//! The arguments of `export`.

use clap::{ArgGroup, Args, ValueEnum, ValueHint};
use clap_complete::engine::ArgValueCandidates;

use super::{candidates, values};

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["a2a", "agents_md"])))]
pub struct Export {
    /// Agent names [default: every agent in the project's folders]
    #[arg(add = ArgValueCandidates::new(candidates::agents))]
    pub names: Vec<String>,
    /// Print the agent cards of the A2A protocol
    #[arg(long, requires_all = ["url", "agent_version"])]
    pub a2a: bool,
    /// Print a list of the agents as a section of AGENTS.md
    #[arg(long)]
    pub agents_md: bool,
    /// Address of the agents; {name} is replaced by the name of each agent
    #[arg(long, value_name = "URL", requires = "a2a", value_parser = values::address)]
    pub url: Option<String>,
    /// Version of the agents, such as 1.0.0
    #[arg(long, value_name = "VERSION", requires = "a2a", value_parser = values::word)]
    pub agent_version: Option<String>,
    /// Protocol at the address
    #[arg(long, value_enum, requires = "a2a", default_value_t = Binding::JsonRpc)]
    pub binding: Binding,
    /// Provider of the agents, and the address of a page about it
    #[arg(long, value_name = "NAME=URL", requires = "a2a", value_parser = values::provider)]
    pub provider: Option<(String, String)>,
    /// Replace the list in this file, or add it at the end
    #[arg(long, value_name = "FILE", requires = "agents_md", value_hint = ValueHint::FilePath)]
    pub write: Option<String>,
    /// Fail if --write would change the file, without writing
    #[arg(long, requires = "write")]
    pub check: bool,
}

/// How an agent is spoken to.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Binding {
    #[value(name = "jsonrpc")]
    JsonRpc,
    Grpc,
    #[value(name = "http-json")]
    HttpJson,
}

impl Binding {
    /// As in an agent card.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonRpc => "JSONRPC",
            Self::Grpc => "GRPC",
            Self::HttpJson => "HTTP+JSON",
        }
    }
}
