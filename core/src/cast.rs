//! The agents of a catalog together, for the rules that compare files.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Anchor, Diagnostic, Label, Rule};
use crate::dialect::Dialect;
use crate::mentions::Mentions;
use crate::offered::Offered;

/// An active agent.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// When to use it.
    pub(crate) description: &'a str,
    /// Its file. Nothing is reported about an agent that has none.
    pub(crate) path: Option<&'a str>,
    /// Whether models may choose it, so that they see its description.
    pub(crate) for_models: bool,
    /// Whether it is an agent of the project.
    pub(crate) in_project: bool,
    /// Where its name is.
    pub(crate) at: Anchor,
    /// The agents, skills and servers it names.
    pub(crate) mentions: &'a Mentions,
}

/// All of them, by name.
pub(crate) struct Cast<'a> {
    /// The dialect.
    pub(crate) dialect: &'a Dialect,
    /// The active agents.
    pub(crate) members: Vec<Member<'a>>,
    /// Names of files that do not load, sorted.
    pub(crate) broken: Vec<&'a str>,
    /// The existing skills, sorted; none if unknown.
    pub(crate) skills: Option<Vec<String>>,
    /// Skills that are named but cannot be loaded, sorted.
    pub(crate) locked: Vec<String>,
    /// The MCP servers that the project configures; none if unknown.
    pub(crate) servers: Option<Vec<String>>,
    /// What the project's plugins offer.
    pub(crate) offered: &'a Offered,
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

    /// A label on a place in its file.
    pub(crate) fn label(&self, at: Anchor, text: &str) -> Option<Label> {
        Some(Label {
            place: at.in_file(self.path?),
            text: text.to_string(),
        })
    }
}
