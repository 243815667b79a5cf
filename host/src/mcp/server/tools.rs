//! The tools of the server: the agents, messages to them, and three queries.

use std::collections::{BTreeMap, BTreeSet};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::catalogs::Entry;

/// The meaning of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Run an agent.
    Agent(String),
    /// Send an agent a message after its answer.
    Continue,
    /// List the agents.
    List,
    /// List the findings.
    Check,
    /// Explain which definition of a name wins.
    Why,
}

/// The tools with their meanings, sorted by name.
pub(super) struct Offer(BTreeMap<String, (Tool, Meaning)>);

impl Offer {
    /// The active agents that models may choose, and the queries; if sessions are saved, also messages after an answer.
    pub(super) fn new(entries: &[Entry], are_saved: bool) -> Self {
        let mut offer = BTreeMap::new();
        if are_saved {
            let tool = continuing();
            offer.insert(tool.name.to_string(), (tool, Meaning::Continue));
        }
        for (tool, meaning) in questions() {
            offer.insert(tool.name.to_string(), (tool, meaning));
        }
        let mut taken: BTreeSet<String> = offer.keys().cloned().collect();
        for entry in entries.iter().filter(|entry| entry.for_models) {
            let name = free(&entry.name, &taken);
            taken.insert(name.clone());
            let tool = agent(&name, &entry.description);
            offer.insert(name, (tool, Meaning::Agent(entry.name.clone())));
        }
        Self(offer)
    }

    pub(super) fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.0.values().map(|(tool, _)| tool)
    }

    pub(super) fn meaning(&self, tool: &str) -> Option<&Meaning> {
        self.0.get(tool).map(|(_, meaning)| meaning)
    }
}

fn agent(name: &str, description: &str) -> Tool {
    let schema =
        schema(json!({"task": {"type": "string", "description": "The task: the agent knows nothing else"}}));
    Tool::new(name.to_owned(), description.to_owned(), schema)
}

fn continuing() -> Tool {
    let description = "Send an agent another message, also after an interruption. It knows its conversation.";
    let schema = schema(json!({
        "session": {"type": "string", "description": "The ID of its session, from its result"},
        "message": {"type": "string", "description": "The message"},
    }));
    Tool::new("continue_agent", description, schema)
}

fn questions() -> [(Tool, Meaning); 3] {
    let about = |name: &'static str, description: &'static str, properties: Value| {
        Tool::new(name, description, schema(properties)).annotate(ToolAnnotations::new().read_only(true))
    };
    let name = json!({"name": {"type": "string", "description": "Agent name"}});
    [
        (
            about(
                "list_agents",
                "List active agents and their sources, as JSON.",
                json!({}),
            ),
            Meaning::List,
        ),
        (
            about(
                "check_agents",
                "Check agent files for problems, as JSON.",
                json!({}),
            ),
            Meaning::Check,
        ),
        (
            about(
                "why_agent",
                "Explain which definition of a name wins, as JSON.",
                name,
            ),
            Meaning::Why,
        ),
    ]
}

/// All properties are required.
fn schema(properties: Value) -> JsonObject {
    let required: Vec<Value> = properties
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| json!(name))
        .collect();
    let mut schema = JsonObject::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("properties".into(), properties);
    schema.insert("required".into(), Value::Array(required));
    schema
}

/// The name with unsupported characters replaced, and numbered if it is taken.
fn free(name: &str, taken: &BTreeSet<String>) -> String {
    const LONGEST: usize = 56;
    let fits = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let plain: String = name
        .chars()
        .take(LONGEST)
        .map(|character| if fits(character) { character } else { '_' })
        .collect();
    let numbered = (2u32..).map(|number| format!("{plain}_{number}"));
    let mut names = std::iter::once(plain.clone()).chain(numbered);
    names
        .find(|name| !name.is_empty() && !taken.contains(name))
        .expect("numbers do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut taken = BTreeSet::from(["list_agents".to_owned()]);
        for (name, expected) in [
            ("reviewer", "reviewer"),
            ("a b", "a_b"),
            ("a/b", "a_b_2"),
            ("list_agents", "list_agents_2"),
            ("", "_2"),
        ] {
            let free = free(name, &taken);
            assert_eq!(free, expected);
            taken.insert(free);
        }
    }
}
