//! What a file would control if it were trusted.

use toml_edit::DocumentMut;

use crate::types::Agent;

/// Something that is only used from a trusted file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stake {
    /// Its kind, for display.
    pub what: &'static str,
    /// The value in the file, verbatim: it may contain control characters.
    pub value: String,
}

/// What an agent's file would control.
pub fn stakes(agent: &Agent) -> Vec<Stake> {
    let mut stakes = Vec::new();
    let mut add = |what, value: Option<String>| stakes.extend(value.map(|value| Stake { what, value }));
    if let Some(endpoint) = &agent.endpoint {
        let asked_at = match endpoint.api_key_variable {
            Some(_) => "the endpoint of its model",
            None => "the endpoint of its model, with the provider's usual key",
        };
        add(asked_at, endpoint.base_url.clone());
        add(
            "the variable with the key for it",
            endpoint.api_key_variable.clone(),
        );
    }
    let listed = |names: &[String]| (!names.is_empty()).then(|| names.join(", "));
    let servers = field(agent, "mcp-servers").or_else(|| listed(&agent.mcp_servers));
    add(
        "MCP servers that are started",
        servers.filter(|_| !agent.mcp_servers.is_empty()),
    );
    stakes
}

/// The value of a key, verbatim.
fn field(agent: &Agent, canonical: &str) -> Option<String> {
    let mut fields = agent.fields.iter();
    let field = fields.find(|field| field.canonical.as_deref() == Some(canonical))?;
    Some(field.value.clone())
}

/// The tables of a configuration that have no effect without trust.
const TABLES: [&str; 3] = ["run", "providers", "mcp"];

/// The part of a configuration that needs trust; all of it if it is not valid TOML.
pub fn stakes_of_configuration(text: &str) -> Option<Stake> {
    let part = match text.parse::<DocumentMut>() {
        Ok(mut document) => {
            document.retain(|key, _| TABLES.contains(&key));
            (!document.is_empty()).then(|| document.to_string())
        }
        Err(_) => Some(text.to_owned()),
    };
    part.map(|value| Stake {
        what: "permissions of agents, model endpoints, and MCP servers",
        value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_part_of_a_configuration_needs_trust() {
        let rules = "[rules]\nx = \"off\"\n\n";
        let provider = "[providers.x]\nbase_url = \"y\"\n";
        let both = [rules, provider].concat();
        for (text, part) in [
            ("", None),
            (rules, None),
            ("[models]\nsonnet = \"anthropic:x\"\n", None),
            ("run.env = [\"TOKEN\"]\n", Some("run.env = [\"TOKEN\"]\n")),
            (&both, Some(provider)),
            ("[broken", Some("[broken")),
        ] {
            let stake = stakes_of_configuration(text).map(|stake| stake.value);
            assert_eq!(stake.as_deref().map(str::trim_start), part, "{text}");
        }
    }
}
