//! Expresses permissions as permission rules.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::lists::List;
use super::speaker::Speaker;
use crate::convert::grants::Grants;
use crate::convert::plan::Fate;
use crate::span::Span;
use crate::vocabulary::Rights;
use crate::write::Value;
use crate::yaml::{Entry, Kind, Node};

/// Everything, as a tool or of a tool.
const ALL: &str = "*";

impl Speaker<'_> {
    /// Permission rules; the last match applies.
    pub(super) fn permissions(&mut self, grants: &Grants) {
        let mode = grants.mode.map_or("", |mode| mode.id);
        if grants.is_everything() {
            let Some(entries) = open_permissions(mode) else {
                return self.plan.say("tools", Fate::Kept, &self.said, "all tools", "");
            };
            self.plan.put("permissions", Value::Yaml(map(entries)));
            return self.plan.carry("tools", &self.said, "all tools");
        }
        let by_denial = grants.all && grants.acts() && grants.within.is_empty();
        if let Some(names) = self.denied(grants).filter(|_| by_denial) {
            self.lose_denied(grants, &names);
            let entries = names.iter().map(|name| entry(name, "deny")).collect();
            self.plan.put("permissions", Value::Yaml(map(entries)));
            let said = format!("all but {}", names.join(", "));
            return self.plan.carry("tools", &self.said, &said);
        }
        let list = self.compile(grants);
        let entries = self.permission_list(&list, mode);
        self.plan.put("permissions", Value::Yaml(map(entries)));
        let mut names: Vec<&str> = list.names.iter().map(|name| &**name).collect();
        names.extend(list.shell);
        self.listed(grants, &list, &names.join(", "));
    }

    /// A list as permissions: only what it names.
    fn permission_list(&self, list: &List, mode: &str) -> Vec<Entry> {
        let mut entries = [entry(ALL, "deny")].to_vec();
        let names = list.names.iter();
        entries.extend(names.map(|name| entry(name, self.effect(name, mode))));
        if let Some(shell) = list.shell {
            let effect = self.effect(shell, mode);
            let mut patterns = [entry(ALL, "deny")].to_vec();
            patterns.extend(list.commands.iter().map(|command| entry(command, effect)));
            entries.push(Entry {
                key: node(shell),
                value: map(patterns),
            });
        }
        entries
    }

    /// Tools that change nothing are allowed; for others the mode decides.
    fn effect(&self, name: &str, mode: &str) -> &'static str {
        let rights = self.vocabulary.find(name).map(|tool| tool.rights);
        let harmless = rights.is_some_and(Rights::change_nothing);
        let edits = matches!(mode, "edits" | "auto") && name == "edit";
        if harmless || edits || mode == "bypass" {
            "allow"
        } else {
            "ask"
        }
    }
}

/// The permissions of an agent without denials; none if no mode is set.
fn open_permissions(mode: &str) -> Option<Vec<Entry>> {
    match mode {
        "" => None,
        "bypass" => Some([entry(ALL, "allow")].to_vec()),
        "edits" | "auto" => Some([entry(ALL, "ask"), entry("edit", "allow")].to_vec()),
        _ => Some([entry(ALL, "ask")].to_vec()),
    }
}

/// Permissions with a line for each of these tools, whose effects are unknown.
pub(in crate::convert) fn with_permissions(permissions: Value, tools: &[String]) -> Value {
    let Value::Yaml(Node {
        kind: Kind::Mapping(mut entries),
        ..
    }) = permissions
    else {
        return permissions;
    };
    entries.extend(tools.iter().map(|tool| entry(tool, "ask")));
    Value::Yaml(map(entries))
}

fn node(text: &str) -> Node {
    Node::text(text, Span::default())
}

fn entry(key: &str, value: &str) -> Entry {
    Entry {
        key: node(key),
        value: node(value),
    }
}

fn map(entries: Vec<Entry>) -> Node {
    Node {
        kind: Kind::Mapping(entries),
        span: Span::default(),
        tag: None,
    }
}
