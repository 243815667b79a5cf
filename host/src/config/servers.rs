//! The schema of MCP servers, as in `.mcp.json`.

use std::collections::BTreeMap;

use callsheet_settings::Problem;
use serde::Deserialize;
use toml::Spanned;

use crate::mcp::{Entry, Server};
use crate::places::CONFIGURATION;

/// The table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct WrittenMcp {
    #[serde(default)]
    servers: BTreeMap<Spanned<String>, Entry>,
}

/// The servers, sorted by name.
pub(super) fn servers(written: WrittenMcp) -> Result<Vec<Server>, Problem> {
    let read = |(name, entry): (Spanned<String>, Entry)| {
        let transport = entry.transport().map_err(|reason| {
            let message = format!("the server `{}` cannot be reached: {reason}", name.as_ref());
            Problem::new(name.span(), message)
        })?;
        Ok(Server {
            name: name.into_inner(),
            source: CONFIGURATION.to_owned(),
            transport,
        })
    };
    written.servers.into_iter().map(read).collect()
}
