//! The Model Context Protocol: other servers' tools for our agents, and our agents for other clients.

mod client;
mod paced;
mod server;

pub(crate) use self::client::Entry;
pub use self::client::{
    Approval, Client, LookUp, Plan, ProjectServers, Server, Servers, ServersConfig, SignIns, Transport,
    servers_of_agent, servers_of_file, url_of,
};
pub use self::server::{Office, ServeError, Way, serve};
