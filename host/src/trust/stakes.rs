//! What a file would control if it were trusted.

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

/// Whether a configuration has no permissions: then adding one trusts nothing else.
pub(super) fn allows_nothing(text: &str) -> bool {
    let counts = ["run", "models", "providers", "servers", "mcp"];
    let table: Result<toml::Table, _> = text.parse();
    table.is_ok_and(|table| !counts.iter().any(|key| table.contains_key(*key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_permissions_are_recognized() {
        for (text, nothing) in [
            ("", true),
            ("[rules]\nx = \"off\"\n", true),
            ("[run]\n", false),
            ("run.env = [\"TOKEN\"]\n", false),
            ("[providers.x]\nbase_url = \"y\"\n", false),
            ("[broken", false),
        ] {
            assert_eq!(allows_nothing(text), nothing, "{text}");
        }
    }
}
