//! The Model Context Protocol: other servers' tools for our agents, and our agents for other clients.

mod client;
mod paced;
mod server;

pub(crate) use self::client::Entry;
pub use self::client::{
    Approval, LookUp, Plan, ProjectServers, Server, Servers, ServersConfig, Transport, servers_of_agent,
    servers_of_file,
};
pub use self::server::{Office, ServeError, Way, serve};
