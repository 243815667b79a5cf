//! Servers and hooks as files configure them, for any tool: the names of their fields agree.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::masks::masked;
use crate::dialect::HookRules;
use crate::hooks;
use crate::limits::TOOLS;
use crate::yaml::{Entry, Kind, Node};

/// The address that a hook calls.
const URL: &str = "url";

/// An MCP server.
pub(super) struct Configured<'a> {
    /// Its entry.
    pub(super) entry: &'a Entry,
    /// Its name.
    pub(super) name: &'a str,
}

/// What a hook runs.
pub(super) struct Handler<'a> {
    pub(super) event: &'a str,
    pub(super) runs: String,
    pub(super) at: &'a Node,
}

impl<'a> Configured<'a> {
    /// The servers of a map, or of a list of maps and names.
    pub(super) fn all(node: &'a Node) -> Vec<Self> {
        let mut found = Vec::new();
        for map in node.items().unwrap_or(core::slice::from_ref(node)) {
            for entry in map.entries() {
                let is_map = matches!(entry.value.kind, Kind::Mapping(_));
                if let (Some(name), true) = (entry.key.as_text(), is_map && found.len() < TOOLS) {
                    found.push(Self { name, entry });
                }
            }
        }
        found
    }

    /// How it is reached: as stated, otherwise `stdio` for a command. None for an address alone, which may mean either of two.
    pub(super) fn transport(&self) -> Option<String> {
        let stated = self.entry.value.get("type").and_then(Node::as_text);
        let has_command = self.entry.value.get("command").is_some();
        let known = stated.or_else(|| has_command.then_some("stdio"));
        known.map(ToString::to_string)
    }

    /// Its command or its address, without secrets; empty if it has neither.
    pub(super) fn target(&self) -> String {
        let keys = ["command", "url", "httpUrl", "serverUrl"];
        let found = keys.iter().find_map(|key| line(&self.entry.value, key));
        found.unwrap_or_default()
    }
}

/// What hooks run.
pub(super) fn handlers<'a>(rules: &HookRules, node: &'a Node) -> Vec<Handler<'a>> {
    let mut found = Vec::new();
    for group in hooks::groups(rules, node) {
        let keys = || rules.commands.iter().map(|key| &**key).chain([URL]);
        for hook in group.hooks.iter().flatten() {
            let runs = keys().filter_map(|key| Some((line(hook, key)?, hook.get(key)?)));
            found.extend(runs.map(|(runs, at)| Handler {
                event: group.event(),
                runs,
                at,
            }));
        }
    }
    found
}

/// A text, or a list of words, with the arguments beside a command, without secrets.
fn line(node: &Node, key: &str) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    let value = node.get(key)?;
    let more = node.get("args").filter(|_| key == "command");
    for part in [value].into_iter().chain(more) {
        let items = part.items().unwrap_or(core::slice::from_ref(part));
        words.extend(items.iter().filter_map(Node::as_text));
    }
    Some(masked(words.join(" ").trim())).filter(|line| !line.is_empty())
}
