//! What settings, instructions and manifests name.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::catalog::Relation;
use crate::decode::rules;
use crate::definition::ToolRule;
use crate::diagnostic::{Place, Placer};
use crate::dialect::{Dialect, Kind};
use crate::hooks::{Matched, groups, is_escaped, matched, whole};
use crate::limits::NAMES;
use crate::offered::Verdict;
use crate::settings::placeholder;
use crate::span::Span;
use crate::vocabulary::{self, Mcp, Rights};
use crate::yaml::{Node, Plain};

const AGENT: NodeKind = NodeKind::File(Kind::Agent);
const SKILL: NodeKind = NodeKind::File(Kind::Skill);
const COMMAND: NodeKind = NodeKind::File(Kind::Command);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeKind {
    /// An agent, a skill or a command.
    File(Kind),
    /// An MCP server.
    Server,
    /// A plugin.
    Plugin,
    /// Another file.
    Other,
}

impl NodeKind {
    /// Its name in the singular.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::File(kind) => kind.noun(),
            Self::Server => "server",
            Self::Plugin => "plugin",
            Self::Other => "file",
        }
    }
}

/// What a path or a name is, for one dialect.
pub(super) fn key(dialect: &str, kind: NodeKind, name: &str) -> String {
    [dialect, kind.noun(), name].join("\n")
}

/// Something that such a file names.
#[derive(Debug)]
pub(super) struct Named<'a> {
    /// The product whose agents, skills and commands are meant.
    pub(super) owner: Option<&'a Dialect>,
    pub(super) relation: Relation,
    /// As written.
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) target: Target,
}

/// What is named.
#[derive(Debug)]
pub(super) enum Target {
    /// A path.
    File(String, Verdict),
    /// Something with a name.
    Of(NodeKind),
    /// What settings define and a file may define, too: only named if a file does.
    Defined(NodeKind),
    /// Something with a name that the project must have.
    Needed(NodeKind),
    /// A plugin, by its name, or by its name, `@` and its marketplace, and what it is if no such plugin is known here.
    Plugin(String, Verdict),
}

impl Target {
    pub(super) fn file(path: String, is_there: bool) -> Self {
        Self::File(path, Verdict::of(is_there))
    }
}

/// Something that a file names, before its place is known.
pub(super) struct Spot {
    pub(super) relation: Relation,
    pub(super) name: String,
    pub(super) at: Span,
    pub(super) target: Target,
}

impl Spot {
    pub(super) fn placed<'a>(self, owner: &'a Dialect, placer: &Placer<'_>) -> Named<'a> {
        Named {
            owner: Some(owner),
            relation: self.relation,
            name: self.name,
            place: placer.place(self.at),
            target: self.target,
        }
    }
}

/// Finds what settings name.
pub(super) struct Names<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) text: &'a str,
    pub(super) spots: Vec<Spot>,
}

impl Names<'_> {
    /// What settings name beside hooks and servers.
    pub(super) fn settings(&mut self, root: &Node) {
        let rules = &self.dialect.settings;
        let agents = rules.agents.iter().flat_map(|keys| values(root, keys));
        for agent in agents.take(NAMES) {
            if let Some(Plain::Text(name)) = agent.plain() {
                self.add(Relation::RunsIn, Target::Of(AGENT), agent, name);
            }
        }
        let entries = [
            (&rules.agent_definitions, AGENT, true),
            (&rules.agent_entries, AGENT, false),
            (&rules.skills, SKILL, false),
        ];
        for (paths, kind, is_definition) in entries {
            let maps = paths.iter().flat_map(|keys| values(root, keys));
            for entry in maps.flat_map(Node::entries).take(NAMES) {
                let name = entry.key.as_text().unwrap_or_default();
                let target = if is_definition {
                    Target::Defined(kind)
                } else {
                    Target::Of(kind)
                };
                self.add(Relation::Names, target, &entry.key, name);
            }
        }
        let lists = rules.permissions.iter().filter_map(|key| root.get(key));
        let lists = lists.flat_map(Node::entries);
        let rules = lists.flat_map(|list| list.value.items().unwrap_or_default());
        for rule in rules.take(NAMES) {
            self.permission(rule);
        }
    }

    /// What hooks name: the agents, commands and servers that they are for, and the servers that they call.
    pub(super) fn hooks(&mut self, hooks: &Node) {
        let rules = &self.dialect.hooks;
        for (matched, name, at) in matched(rules, hooks, self.text) {
            let kind = match matched {
                Matched::Agent => AGENT,
                Matched::Command => COMMAND,
                Matched::Server => NodeKind::Server,
            };
            // An expression may match a part of another name.
            let target = if name.contains(':') {
                Target::Defined(kind)
            } else {
                Target::Of(kind)
            };
            self.spots.push(Spot {
                relation: Relation::Names,
                name: name.to_owned(),
                at,
                target,
            });
        }
        for group in groups(rules, hooks).into_iter().take(NAMES) {
            let servers = group.hooks.iter().flatten().filter_map(|hook| hook.get("server"));
            for server in servers {
                let name = server.as_text().unwrap_or_default();
                self.add(Relation::Uses, Target::Of(NodeKind::Server), server, name);
            }
        }
    }

    /// What a permission such as `Agent(name)` is about.
    fn permission(&mut self, rule: &Node) {
        let Some(vocabulary) = vocabulary::of(self.dialect.product()) else {
            return;
        };
        let loads = self.dialect.skill_tool.as_ref().map(|tool| &*tool.tool);
        for ToolRule { tool, specifier, .. } in rules(rule.as_text().unwrap_or_default()) {
            if let Some(Mcp::Server(server) | Mcp::Tool(server, _)) = vocabulary.mcp(&tool) {
                // Behind the mark of its tools, `mcp__` in most products.
                let text = rule.span.of(self.text);
                let at = text.find(&["__", server].concat()).map(|at| at + "__".len());
                let at = at.or_else(|| whole(text, server));
                self.put(Relation::Names, Target::Of(NodeKind::Server), rule, server, at);
                continue;
            }
            let specifier = specifier.unwrap_or_default();
            let name = specifier.split(' ').next().unwrap_or_default();
            let name = name.strip_suffix(":*").unwrap_or(name);
            let is_call = || {
                let known = vocabulary.find(&tool);
                known.is_some_and(|tool| tool.rights.contains(Rights::DELEGATE))
            };
            let kind = if loads == Some(&*tool) {
                SKILL
            } else if is_call() {
                AGENT
            } else {
                continue;
            };
            let text = rule.span.of(self.text);
            let from = text.find('(').map_or(0, |opening| opening + 1);
            let begins = || text[from..].find(&[name, ":*"].concat());
            let at = whole(&text[from..], name).or_else(begins);
            self.put(
                Relation::Names,
                Target::Of(kind),
                rule,
                name,
                at.map(|at| from + at),
            );
        }
    }

    /// Adds a name that is written in a value, unless it is a pattern or replaced. With escapes, its place is the whole value.
    pub(super) fn add(&mut self, relation: Relation, target: Target, node: &Node, name: &str) {
        self.put(relation, target, node, name, whole(node.span.of(self.text), name));
    }

    fn put(&mut self, relation: Relation, target: Target, node: &Node, name: &str, at: Option<usize>) {
        if name.is_empty() || name.contains('*') || placeholder(name).is_some() {
            return;
        }
        let start = node.span.start.index();
        let written = node.span.of(self.text);
        let at = match at {
            Some(at) => Span::new(start + at, start + at + name.len()),
            None if is_escaped(written, name) => node.span,
            None => return,
        };
        self.spots.push(Spot {
            relation,
            name: name.to_owned(),
            at,
            target,
        });
    }
}

/// What is called in the same way as this: a skill like a command and, in some products, a command like a skill.
pub(super) fn called_alike(kind: NodeKind, owner: Option<&Dialect>) -> Option<NodeKind> {
    let loads_commands = || owner?.skill_tool.as_ref().filter(|tool| tool.commands);
    match kind {
        COMMAND => Some(SKILL),
        SKILL => loads_commands().map(|_| COMMAND),
        _ => None,
    }
}

/// The values to which keys lead.
pub(super) fn values<'n>(root: &'n Node, keys: &str) -> Vec<&'n Node> {
    let mut found = Vec::from([root]);
    for key in keys.split('.') {
        found = match key {
            "*" => {
                let each = found.into_iter().flat_map(|node| {
                    let entries = node.entries().iter().map(|entry| &entry.value);
                    entries.chain(node.items().unwrap_or_default())
                });
                each.collect()
            }
            key => found.into_iter().filter_map(|node| node.get(key)).collect(),
        };
    }
    found
}
