//! Hooks, in settings and in frontmatter: events, groups with a matcher, and the hooks of each group.

use alloc::vec::Vec;

use crate::dialect::HookRules;
use crate::yaml::{Entry, Node};

/// The hooks with one matcher.
pub(crate) struct Group<'a> {
    /// The event.
    pub(crate) event: &'a Node,
    /// All of it.
    pub(crate) node: &'a Node,
    /// Its hooks; none if it has no list of them.
    pub(crate) hooks: Option<Vec<&'a Node>>,
}

impl<'a> Group<'a> {
    /// The event's name.
    pub(crate) fn event(&self) -> &'a str {
        self.event.as_text().unwrap_or_default()
    }

    /// Its matcher.
    pub(crate) fn matcher(&self) -> Option<&'a Node> {
        self.node.get("matcher")
    }
}

/// The groups of all events. Without groups, each hook is one.
pub(crate) fn groups<'a>(rules: &HookRules, hooks: &'a Node) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    for entry in hooks.entries().iter().filter(|entry| is_event(entry)) {
        for node in entry.value.items().unwrap_or_default() {
            let listed = node.get("hooks").and_then(Node::items);
            let alone = || (!rules.grouped).then(|| Vec::from([node]));
            groups.push(Group {
                event: &entry.key,
                node,
                hooks: listed.map(|hooks| hooks.iter().collect()).or_else(alone),
            });
        }
    }
    groups
}

/// Keys beside the events in settings of Gemini CLI and Qwen Code.
const SWITCHES: &[&str] = &["disabled", "enabled", "notifications"];

/// Whether a key is meant as an event.
pub(crate) fn is_event(entry: &Entry) -> bool {
    let key = entry.key.as_text();
    key.is_none_or(|key| !SWITCHES.contains(&key))
}

/// The commands of a hook.
pub(crate) fn commands<'a>(rules: &HookRules, hook: &'a Node) -> impl Iterator<Item = &'a Node> {
    let keys = rules.commands.iter();
    keys.filter_map(|key| hook.get(key))
        .filter(|command| command.as_text().is_some_and(|text| !text.trim().is_empty()))
}
