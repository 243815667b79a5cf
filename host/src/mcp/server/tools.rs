//! What a client may call: the agents, and three questions about them.

use std::collections::{BTreeMap, BTreeSet};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::catalogs::Entry;

/// What a call means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// An agent is to do something.
    Agent(String),
    /// Who is there.
    List,
    /// What is wrong.
    Check,
    /// Why an agent is the one that its name calls.
    Why,
}

/// The tools with what they mean, sorted by name.
pub(super) struct Offer(BTreeMap<String, (Tool, Meaning)>);

impl Offer {
    /// The agents in force, and the questions.
    pub(super) fn new(entries: &[Entry]) -> Self {
        let mut offer = BTreeMap::new();
        for (tool, meaning) in questions() {
            offer.insert(tool.name.to_string(), (tool, meaning));
        }
        let mut taken: BTreeSet<String> = offer.keys().cloned().collect();
        for entry in entries {
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
    let schema = schema(
        json!({"task": {"type": "string", "description": "What the agent is to do: it knows nothing else"}}),
    );
    Tool::new(name.to_owned(), description.to_owned(), schema)
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
                "The agents in force, and where they come from, as JSON.",
                json!({}),
            ),
            Meaning::List,
        ),
        (
            about(
                "check_agents",
                "What is wrong with the files of agents, as JSON.",
                json!({}),
            ),
            Meaning::Check,
        ),
        (
            about(
                "why_agent",
                "Which definition a name calls, and by which rule, as JSON.",
                name,
            ),
            Meaning::Why,
        ),
    ]
}

/// All properties are demanded.
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

/// The name with what clients do not take replaced, and a number where another has it already.
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
    fn every_name_is_taken_once() {
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
