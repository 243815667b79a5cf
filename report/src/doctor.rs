//! The results of `doctor`.

use serde::Serialize;

/// Related facts.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// Their subject.
    pub name: &'static str,
    /// The facts, in order.
    pub facts: Vec<Fact>,
}

/// One fact.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// Its subject.
    pub name: String,
    /// The fact.
    pub value: String,
    /// Whether it needs attention.
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

    /// Adds a fact that needs attention.
    pub fn add_problem(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.add(name, value);
        if let Some(fact) = self.facts.last_mut() {
            fact.is_problem = true;
        }
    }
}
