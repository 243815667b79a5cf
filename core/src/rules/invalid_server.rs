//! An MCP server that the tool skips.
//!
//! It has neither a command nor an address, or its name is reserved by the tool. Claude Code also skips a server that has an address but no
//! type, an unknown type, or a field of an unexpected type, such as a `command` that is a list. Agents that use the server's tools run without
//! them. If two servers have the same name, most readers only use the last one.
//!
//! ```json
//! { "mcpServers": { "docs": { "url": "https://example.com/mcp" } } }
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```json
//! { "mcpServers": { "docs": { "type": "http", "url": "https://example.com/mcp" } } }
//! ```
//!
//! In the `mcp.json` of an Agent Plugin, a server has one of three forms, without other fields. The `type` is `stdio`, `streamable-http` or
//! `sse`; the `command` is a single name or a path that begins with `./`; a `url` must use `https`, except on the same machine.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::closest::closest;
use crate::diagnostic::Finding;
use crate::dialect::Dialect;
use crate::yaml::{Entry, Kind, Node, Plain};

crate::diagnostic::rule! {
    name: "invalid-server",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Claude Code's MCP reference (2026-08): a `url` without `type`, and reserved names, are skipped with a warning; types of fields measured with Claude Code 2.1.332, `mcp list`; Agent Plugins 1.0.0, section 7.2",
}

/// The type of a server that is run by a command.
const STDIO: &str = "stdio";

/// The servers that are skipped.
pub(crate) fn check(dialect: &Dialect, servers: &Node, findings: &mut Vec<Finding>) {
    for (entry, counts) in servers.counted() {
        let name = entry.key.as_text().unwrap_or_default();
        let found = |what: &str| Finding::new(&RULE, entry.key.span, format!("MCP server `{name}` {what}"));
        if !counts {
            findings.push(found("is defined again below").label("this definition is ignored"));
            continue;
        }
        if let Some((what, help)) = problem(dialect, entry) {
            let found = found(&what).label(format!("{} skips the server", dialect.id));
            findings.push(match help {
                Some(help) => found.help(help),
                None => found,
            });
        }
    }
}

/// A field of another type than the product expects.
fn wrong_field(server: &Node) -> Option<String> {
    let is_text = |node: &Node| matches!(node.plain(), Some(Plain::Text(_)));
    let is_map = |node: &Node| matches!(node.kind, Kind::Mapping(_));
    let entries = |node: &Node| node.entries().iter().all(|entry| is_text(&entry.value));
    if !is_map(server) {
        return Some("is not an object".to_string());
    }
    let of = |key: &str| server.get(key);
    let texts = ["command", "url"].into_iter();
    let mut texts = texts.filter(|key| of(key).is_some_and(|node| !is_text(node)));
    let mut maps = ["env", "headers"].into_iter();
    let map = maps.find(|key| of(key).is_some_and(|node| !is_map(node) || !entries(node)));
    let is_list = |node: &Node| node.items().is_some_and(|items| items.iter().all(is_text));
    if let Some(key) = texts.next() {
        return Some(format!("has a `{key}` that is not text"));
    }
    if of("args").is_some_and(|node| !is_list(node)) {
        return Some("has `args` that are not a list of texts".to_string());
    }
    map.map(|key| format!("has `{key}` that is not an object of texts"))
}

/// What is wrong with a server, and what to do.
fn problem(dialect: &Dialect, entry: &Entry) -> Option<(String, Option<String>)> {
    let (rules, server) = (&dialect.servers, &entry.value);
    let name = entry.key.as_text().unwrap_or_default();
    if rules.reserved.iter().any(|reserved| reserved == name) {
        return Some(("has a reserved name".into(), Some("rename it".into())));
    }
    if let Some(wrong) = wrong_field(server).filter(|_| !rules.types.is_empty()) {
        return Some((wrong, None));
    }
    let has = |key: &str| {
        let value = server.get(key);
        value.is_some_and(|value| value.as_text().is_none_or(|text| !text.trim().is_empty()))
    };
    let address = rules.addresses.iter().find(|key| has(key));
    let first = rules.addresses.first()?;
    let kind = server.get("type").and_then(Node::as_text);
    match kind.filter(|_| !rules.types.is_empty()) {
        Some(kind) if kind == STDIO => (!has("command")).then(|| ("has no `command`".into(), None)),
        Some(kind) if rules.types.iter().any(|known| known == kind) => {
            address.is_none().then(|| (format!("has no `{first}`"), None))
        }
        Some(kind) => {
            let known = rules.types.iter().map(|known| &**known).chain([STDIO]);
            let meant = closest(kind, known).map(|meant| format!("did you mean `{meant}`?"));
            Some((format!("has the unknown type `{kind}`"), meant))
        }
        None if has("command") => None,
        None => match (address, rules.types.first()) {
            (None, _) => Some((format!("has neither `command` nor `{first}`"), None)),
            (Some(address), Some(usual)) => {
                let help = format!("add `\"type\": \"{usual}\"`").to_string();
                Some((format!("has a `{address}` but no `type`"), Some(help)))
            }
            (Some(_), None) => None,
        },
    }
}
