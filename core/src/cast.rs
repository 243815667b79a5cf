//! The agents of a catalog together, as the rules between files look at them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Anchor, Diagnostic, Label, Rule};
use crate::dialect::Dialect;
use crate::mentions::Mentions;

/// An agent that is in force.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    /// What it is called by.
    pub(crate) name: &'a str,
    /// When to use it.
    pub(crate) description: &'a str,
    /// Its file. Nothing is reported about an agent that has none.
    pub(crate) path: Option<&'a str>,
    /// Where its name stands.
    pub(crate) at: Anchor,
    /// Whom and what it names.
    pub(crate) mentions: &'a Mentions,
}

/// All of them, by name.
pub(crate) struct Cast<'a> {
    /// Whose rules hold.
    pub(crate) dialect: &'a Dialect,
    /// The agents in force.
    pub(crate) members: Vec<Member<'a>>,
    /// Names that files have which do not load, sorted.
    pub(crate) broken: Vec<&'a str>,
    /// The skills that are there, sorted; none where that cannot be told.
    pub(crate) skills: Option<Vec<String>>,
    /// The MCP servers that the project configures; none where that cannot be told.
    pub(crate) servers: Option<Vec<String>>,
}

impl Cast<'_> {
    /// The member of this name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.members.binary_search_by(|member| member.name.cmp(name)).ok()
    }
}

impl Member<'_> {
    /// A finding in its file.
    pub(crate) fn diagnostic(&self, rule: &Rule, at: Anchor, message: String) -> Option<Diagnostic> {
        Some(Diagnostic::new(rule, at.in_file(self.path?), message))
    }

    /// A remark on a place in its file.
    pub(crate) fn label(&self, at: Anchor, text: &str) -> Option<Label> {
        Some(Label {
            place: at.in_file(self.path?),
            text: text.to_string(),
        })
    }
}
