//! Agent cards of A2A 1.0.

use std::fmt::Write as _;

use serde_json::{Value, json};

use callsheet_contract::catalogs::Card;

use crate::json;

/// The version of the protocol that the cards are for.
const PROTOCOL: &str = "1.0";

/// Agents exchange text.
const MODES: [&str; 1] = ["text/plain"];

/// What stands for an agent's name in an address.
const NAME: &str = "{name}";

/// What the files of agents do not say about the server.
#[derive(Debug)]
pub struct Server<'a> {
    /// Its address; `{name}` stands for an agent's name.
    pub url: &'a str,
    /// How it is spoken to, such as `JSONRPC`.
    pub binding: &'a str,
    /// The version of the agents.
    pub version: &'a str,
    /// Who provides it, with the address of a page about that.
    pub provider: Option<(&'a str, &'a str)>,
}

/// The card of an agent that has the address for itself.
pub fn one(agent: &Card, server: &Server<'_>) -> String {
    json::pretty(&card(agent, server, false))
}

/// A list of cards. Agents at the same address are told apart by their tenant.
pub fn several(agents: &[Card], server: &Server<'_>) -> String {
    let is_shared = !server.url.contains(NAME);
    let cards: Vec<Value> = agents
        .iter()
        .map(|agent| card(agent, server, is_shared))
        .collect();
    json::pretty(&cards)
}

fn card(agent: &Card, server: &Server<'_>, is_shared: bool) -> Value {
    let mut interface = json!({
        "url": server.url.replace(NAME, &encoded(&agent.name)),
        "protocolBinding": server.binding,
        "protocolVersion": PROTOCOL,
    });
    if is_shared {
        interface["tenant"] = json!(agent.name);
    }
    let mut skill = json!({
        "id": agent.name,
        "name": agent.name,
        "description": agent.description,
        "tags": agent.tags,
    });
    if !agent.examples.is_empty() {
        skill["examples"] = json!(agent.examples);
    }
    let mut card = json!({
        "name": agent.name,
        "description": agent.description,
        "version": server.version,
        "supportedInterfaces": [interface],
        "capabilities": {},
        "defaultInputModes": MODES,
        "defaultOutputModes": MODES,
        "skills": [skill],
    });
    if let Some((organization, url)) = server.provider {
        card["provider"] = json!({ "organization": organization, "url": url });
    }
    card
}

/// A name as part of an address.
fn encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
