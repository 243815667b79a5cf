//! Hooks, in settings and in frontmatter: events, groups with a matcher, and the hooks of each group.

use alloc::vec::Vec;

use crate::dialect::HookRules;
use crate::limits::NAMES;
use crate::span::Span;
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

/// Whether a matcher is compared with whole names.
pub(crate) fn is_exact(matcher: &Node) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '|' | ',' | ' ');
    matcher.as_text().is_some_and(|text| text.chars().all(is_plain))
}

/// Whether a matcher has nothing but names. One with a colon, as in the name of a plugin's agent, is an expression that matches this name.
fn has_names(matcher: &Node) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-|:".contains(c);
    is_exact(matcher) || matcher.as_text().is_some_and(|text| text.chars().all(is_plain))
}

/// What a matcher names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Matched {
    Agent,
    /// A command, or a skill that is called like one.
    Command,
    Server,
}

/// Where a name is in a text, not as a part of another one.
pub(crate) fn whole(text: &str, name: &str) -> Option<usize> {
    let is_more = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
    let is_whole =
        |at: &usize| !text[..*at].ends_with(is_more) && !text[at + name.len()..].starts_with(is_more);
    text.match_indices(name).map(|(at, _)| at).find(is_whole)
}

/// Whether a name is not in a text as it is, maybe because of escapes.
pub(crate) fn is_escaped(text: &str, name: &str) -> bool {
    text.contains('\\') && !text.contains(name)
}

/// The names in matchers that are no patterns, and their places in the text.
pub(crate) fn matched<'a>(rules: &HookRules, hooks: &'a Node, text: &str) -> Vec<(Matched, &'a str, Span)> {
    let kinds = [
        (&rules.agent_events, Matched::Agent),
        (&rules.command_events, Matched::Command),
        (&rules.server_events, Matched::Server),
    ];
    let mut found = Vec::new();
    for group in groups(rules, hooks).into_iter().take(NAMES) {
        let mut kinds = kinds.iter();
        let kind = kinds.find(|(events, _)| events.iter().any(|event| event == group.event()));
        let matcher = group.matcher().filter(|matcher| has_names(matcher));
        if let (Some((_, kind)), Some(matcher)) = (kind, matcher) {
            let names = matcher.as_text().unwrap_or_default().split(['|', ',']);
            let names = names.map(str::trim).filter(|name| !name.is_empty());
            // Each is behind the one before, so that the search passes the text once.
            let (mut rest, mut from) = (matcher.span.of(text), matcher.span.start.index());
            let mut has_escaped = false;
            for name in names.take(NAMES) {
                let at = if has_escaped { None } else { whole(rest, name) };
                let Some(at) = at else {
                    has_escaped = has_escaped || is_escaped(rest, name);
                    if has_escaped {
                        // Where the names behind it are is not known either.
                        found.push((*kind, name, matcher.span));
                        continue;
                    }
                    break;
                };
                found.push((*kind, name, Span::new(from + at, from + at + name.len())));
                from += at + name.len();
                rest = &rest[at + name.len()..];
            }
        }
    }
    found
}

/// Keys beside the events in settings of Gemini CLI and Qwen Code, and of Codex.
const SWITCHES: &[&str] = &["disabled", "enabled", "notifications", "state"];

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
