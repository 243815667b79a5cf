//! The Model Context Protocol: tools of other people's servers for our agents.

mod client;

pub use self::client::{
    Approval, LookUp, ProjectServers, Say, Server, Servers, ServersConfig, Transport, servers_of_file,
};
