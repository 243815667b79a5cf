//! Why there is no server.

use std::net::SocketAddr;
use std::{error, fmt, io};

/// Why agents cannot be served, or not any longer.
#[derive(Debug)]
pub enum ServeError {
    /// Other machines could reach it, and nothing would keep them out.
    Open(SocketAddr),
    /// The system does not let it listen.
    Listen(SocketAddr, io::Error),
    /// The client does not speak the protocol, or went away before it did.
    Client(String),
    /// The agents cannot be followed.
    Agents(crate::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(address) => {
                write!(
                    to,
                    "{address} can be reached from other machines, and there is no token"
                )
            }
            Self::Listen(address, error) => write!(to, "cannot listen on {address}: {error}"),
            Self::Client(reason) => write!(to, "no client speaks MCP here: {reason}"),
            Self::Agents(error) => error.fmt(to),
        }
    }
}

impl error::Error for ServeError {}

impl From<crate::Error> for ServeError {
    fn from(error: crate::Error) -> Self {
        Self::Agents(error)
    }
}
