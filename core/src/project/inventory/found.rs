//! The inventory as plain data.

use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::Model;
use crate::diagnostic::Place;
use crate::project::graph::Graph;

/// The agents, skills, commands, MCP servers and hooks of a project. Its texts are without secrets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inventory {
    /// The files, servers and built-in agents, and what they name.
    pub graph: Graph,
    /// The agents, skills and commands, in the order of their nodes.
    pub assets: Vec<Asset>,
    /// The servers that files configure.
    pub servers: Vec<Server>,
    /// What hooks run.
    pub hooks: Vec<Hook>,
    /// Files of servers or hooks that could not be read.
    pub unread: Vec<String>,
}

/// An agent, a skill or a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Asset {
    /// Its node.
    pub node: usize,
    /// The SHA-256 of its file in hexadecimal digits; none if it has no file, or none that can be read.
    pub sha256: Option<String>,
    /// Its model.
    pub model: Model,
    /// Its permission mode, as written.
    pub mode: Option<String>,
    /// Whether it may call every agent.
    pub any_agent: bool,
    /// What it may do itself; of a skill or a command, what it may do without asking.
    pub permissions: Vec<Permission>,
    /// Tools in its list whose permissions are not known.
    pub other_tools: Vec<String>,
    /// What it may also do by calling agents.
    pub reached: Vec<Reached>,
    /// Errors in its file.
    pub errors: usize,
    /// Warnings in its file.
    pub warnings: usize,
}

/// A permission.
#[derive(Clone, Debug, PartialEq)]
pub struct Permission {
    /// Its canonical name.
    pub name: &'static str,
    /// The patterns that limit it; none for all of it.
    pub patterns: Vec<String>,
}

/// A server as a file configures it.
#[derive(Clone, Debug, PartialEq)]
pub struct Server {
    /// Its node.
    pub node: usize,
    /// How it is reached, such as `stdio`; none if the file does not tell.
    pub transport: Option<String>,
    /// Its command or its address.
    pub target: String,
    /// Where it is configured.
    pub place: Place,
}

/// Something that a hook runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    /// The event, as written.
    pub event: String,
    /// The command, or the address that is called.
    pub runs: String,
    /// Where it is written.
    pub place: Place,
}

/// A permission that a node has only through others.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The permission.
    pub name: &'static str,
    /// Whether it is limited to patterns.
    pub limited: bool,
    /// The first node on a shortest way to it.
    pub next: usize,
    /// The edge to it; none if the node may call any agent.
    pub edge: Option<usize>,
    /// The node that has the permission itself.
    pub owner: usize,
}
