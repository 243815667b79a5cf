//! Errors of the server.

use std::net::SocketAddr;
use std::{error, fmt, io};

/// Why agents cannot be served, or not any longer.
#[derive(Debug)]
pub enum ServeError {
    /// The system does not allow listening.
    Listen(SocketAddr, io::Error),
    /// The client does not speak the protocol, or disconnected before it did.
    Client(String),
    /// The agents cannot be followed.
    Agents(crate::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(address, error) => write!(to, "cannot listen on {address}: {error}"),
            Self::Client(reason) => write!(to, "the client does not speak MCP: {reason}"),
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
