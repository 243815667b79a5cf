//! Rules about tools; the last match applies.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::{Definition, Effect, Permission, ToolFilter, ToolRule};
use crate::dialect::Canonical;
use crate::yaml::{Kind, Node, Plain};

/// Everything, as a tool or of a tool.
const ALL: &str = "*";

/// A map from tools to `true` or `false`.
pub(super) fn switches(node: &Node) -> Option<Vec<Permission>> {
    let Kind::Mapping(entries) = &node.kind else {
        return None;
    };
    let rule = |tool: &Node, value: &Node| match value.plain() {
        Some(Plain::Boolean(true)) => Some(permission(tool, ALL, Effect::Allow)),
        Some(Plain::Boolean(false)) => Some(permission(tool, ALL, Effect::Deny)),
        _ => None,
    };
    entries
        .iter()
        .map(|entry| rule(&entry.key, &entry.value))
        .collect()
}

/// An action, a map of them, or a list of rules.
pub(super) fn rules(node: &Node) -> Option<Vec<Permission>> {
    let mut rules = Vec::new();
    match &node.kind {
        Kind::Scalar { .. } => rules.push(Permission {
            tool: ALL.to_owned(),
            ..permission(node, ALL, effect(node)?)
        }),
        Kind::Sequence(items) => {
            for item in items {
                let part = |key| item.get(key).and_then(Node::as_text).unwrap_or(ALL);
                rules.push(permission(
                    item.get("action")?,
                    part("resource"),
                    effect(item.get("effect")?)?,
                ));
            }
        }
        Kind::Mapping(entries) => {
            for entry in entries {
                match &entry.value.kind {
                    Kind::Mapping(patterns) => {
                        for pattern in patterns {
                            let of = pattern.key.as_text()?;
                            rules.push(Permission {
                                span: pattern.key.span,
                                ..permission(&entry.key, of, effect(&pattern.value)?)
                            });
                        }
                    }
                    _ => rules.push(permission(&entry.key, ALL, effect(&entry.value)?)),
                }
            }
        }
    }
    Some(rules)
}

fn permission(tool: &Node, pattern: &str, effect: Effect) -> Permission {
    Permission {
        tool: tool.as_text().unwrap_or_default().to_owned(),
        pattern: pattern.to_owned(),
        effect,
        span: tool.span,
    }
}

fn effect(node: &Node) -> Option<Effect> {
    match node.as_text()? {
        "allow" => Some(Effect::Allow),
        "ask" => Some(Effect::Ask),
        "deny" => Some(Effect::Deny),
        _ => None,
    }
}

/// Gives a definition the rules of all files of its name, the strongest first, merged like OpenCode's settings: those of `tools`, then those
/// of `permission`, each by tool and pattern. A stronger rule has the place of the weaker one.
pub(crate) fn merge<'a>(
    definition: &mut Definition,
    files: impl DoubleEndedIterator<Item = &'a Definition> + Clone,
) {
    let mut rules = Vec::new();
    for is_switch in [true, false] {
        let mut merged = Merged::default();
        for file in files.clone().rev() {
            let switches = file.field(Canonical::Tools).map(|field| field.value_span);
            for rule in &file.permissions {
                let within = switches
                    .is_some_and(|field| field.start <= rule.span.start && rule.span.end <= field.end);
                if within == is_switch {
                    merged.put(rule);
                }
            }
        }
        rules.extend(merged.tools.into_iter().flatten());
    }
    if !rules.is_empty() {
        (definition.tools, definition.denied_tools) = resolve(&rules);
        definition.permissions = rules;
    }
}

/// Rules by tool, in the order of their first ones.
#[derive(Default)]
struct Merged {
    tools: Vec<Vec<Permission>>,
    /// The number of a tool; with a pattern, that of a rule of the tool.
    places: BTreeMap<String, usize>,
}

impl Merged {
    fn put(&mut self, rule: &Permission) {
        let tool = *self.places.entry(rule.tool.clone()).or_insert(self.tools.len());
        if tool == self.tools.len() {
            self.tools.push(Vec::new());
        }
        let rules = &mut self.tools[tool];
        let named = [&*rule.tool, "\n", &rule.pattern].concat();
        let place = *self.places.entry(named).or_insert(rules.len());
        match rules.get_mut(place) {
            Some(weaker) => *weaker = rule.clone(),
            None => rules.push(rule.clone()),
        }
    }
}

/// The result of the rules: the allowed and the denied tools.
///
/// What part of a tool is denied cannot be expressed: a denied entry with a pattern denies all of it.
pub(super) fn resolve(rules: &[Permission]) -> (ToolFilter, Vec<ToolRule>) {
    let base = rules
        .iter()
        .rposition(|rule| rule.tool == ALL && rule.pattern == ALL);
    let denies_all = base.is_some_and(|at| rules[at].effect == Effect::Deny);
    let later = &rules[base.map_or(0, |at| at + 1)..];
    let (mut allowed, mut denied) = (Vec::new(), Vec::new());
    for (at, rule) in later.iter().enumerate() {
        let same = |other: &&Permission| other.tool == rule.tool || other.tool == ALL;
        let overruled = later[at + 1..]
            .iter()
            .filter(same)
            .any(|other| other.pattern == ALL || other.pattern == rule.pattern);
        if overruled {
            continue;
        }
        let entry = ToolRule {
            tool: rule.tool.clone(),
            specifier: (rule.pattern != ALL).then(|| rule.pattern.clone()),
            span: rule.span,
        };
        match rule.effect {
            Effect::Deny => denied.push(entry),
            Effect::Allow | Effect::Ask => allowed.push(entry),
        }
    }
    let tools = match base {
        _ if denies_all && allowed.is_empty() => ToolFilter::None,
        _ if denies_all => ToolFilter::Only(allowed),
        Some(_) => ToolFilter::All,
        None => ToolFilter::Absent,
    };
    // Without an allow rule, denials are redundant; where all is allowed, so are allowed patterns.
    let whole_or_open = |rule: &ToolRule| !denies_all || rule.specifier.is_some();
    denied.retain(whole_or_open);
    (tools, denied)
}
