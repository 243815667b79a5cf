//! MCP with programs that are not ours: `.ci/mcp` installs them, and `CALLSHEET_MCP` says where. And with peers that break the protocol.

mod clients;
mod hostile;
mod servers;
mod sign_in;

use std::path::PathBuf;

/// Where the programs of others are; none, and said so, where they are not installed.
fn installed() -> Option<PathBuf> {
    let place = std::env::var_os("CALLSHEET_MCP").filter(|place| !place.is_empty());
    if place.is_none() {
        eprintln!("skipped: CALLSHEET_MCP does not say where `.ci/mcp` has installed servers and clients");
    }
    place.map(PathBuf::from)
}
