//! What `doctor` found.

use serde::Serialize;

/// Facts that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// What they are about.
    pub name: &'static str,
    /// The facts, in order.
    pub facts: Vec<Fact>,
}

/// One fact.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// What it says something about.
    pub name: String,
    /// What it says.
    pub value: String,
    /// Whether something has to be done about it.
    pub is_problem: bool,
}

impl Section {
    /// Without facts.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            facts: Vec::new(),
        }
    }

    /// Adds a fact.
    pub fn add(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.facts.push(Fact {
            name: name.into(),
            value: value.into(),
            is_problem: false,
        });
    }

    /// Adds a fact about which something has to be done.
    pub fn add_problem(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.add(name, value);
        if let Some(fact) = self.facts.last_mut() {
            fact.is_problem = true;
        }
    }
}
