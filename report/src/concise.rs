//! One line for each finding or definition, for editors, `grep` and people in a hurry.

use callsheet_contract::catalogs::{Change, Entry, Standing};
use callsheet_contract::documents::{Dialect, Reader, Rule};
use callsheet_contract::projects::{Graph, Inventory, Node};
use callsheet_contract::types::{Agent, Diagnostic, Origin};

use super::assets::{permission, ways};
use super::text::clean;
use super::words;
use crate::report::{Applied, Named, Readers, User};

/// `path:line:column: severity[rule]: message`
pub fn diagnostic(diagnostic: &Diagnostic) -> String {
    let place = &diagnostic.primary.place;
    format!(
        "{}:{}:{}: {}[{}]: {}\n",
        clean(&place.path),
        place.start.line,
        place.start.column,
        words::severity(diagnostic.severity),
        clean(&diagnostic.rule),
        clean(&diagnostic.message),
    )
}

/// `path: reader: fate: reason or the differing fields`
pub fn readers(readers: &Readers) -> String {
    let mut out = String::new();
    for file in &readers.files {
        for seen in &file.seen {
            let (path, reader, fate) = (clean(&file.path), clean(&seen.reader), words::fate(seen.fate));
            let tail = if seen.reason.is_empty() {
                seen.differs.join(", ")
            } else {
                clean(&seen.reason)
            };
            let tail = if tail.is_empty() {
                tail
            } else {
                format!(": {tail}")
            };
            out.push_str(&format!("{path}: {reader}: {fate}{tail}\n"));
        }
    }
    out
}

/// `path: kind: name: permissions: reached permissions`, then `path:line:column: transport or event: name: what runs`
pub fn inventory(inventory: &Inventory) -> String {
    let mut out = String::new();
    let nodes = &inventory.graph.nodes;
    for asset in &inventory.assets {
        let own: Vec<String> = asset.permissions.iter().map(permission).collect();
        let reached = ways(inventory, asset).into_iter().flat_map(|(_, names)| names);
        let line = format!(
            "{}: {}: {}",
            node(&nodes[asset.node as usize]).trim_end(),
            clean(&own.join(", ")),
            reached.collect::<Vec<_>>().join(", "),
        );
        out.push_str(&format!("{}\n", line.trim_end()));
    }
    let servers = inventory.servers.iter().map(|server| {
        let name = &nodes[server.node as usize].name;
        (
            &server.place,
            server.transport.as_deref().unwrap_or("server"),
            &**name,
            &server.target,
        )
    });
    let hooks = inventory.hooks.iter();
    let hooks = hooks.map(|hook| (&hook.place, "hook", &*hook.event, &hook.runs));
    for (place, kind, name, runs) in servers.chain(hooks) {
        let (path, start) = (clean(&place.path), place.start);
        let words = [kind, name, runs].map(clean).join(": ");
        out.push_str(&format!("{path}:{}:{}: {words}\n", start.line, start.column));
    }
    out
}

/// `path:line:column: relation: name: verdict`; without references, `path: kind: name`
pub fn references(graph: &Graph) -> String {
    let mut out = String::new();
    for edge in &graph.edges {
        out.push_str(&format!(
            "{}:{}:{}: {}: {}: {}\n",
            clean(&edge.place.path),
            edge.place.start.line,
            edge.place.start.column,
            words::relation(edge.relation),
            clean(&edge.name),
            words::verdict(edge.verdict),
        ));
    }
    if graph.edges.is_empty() {
        out.extend(graph.nodes.iter().map(node));
    }
    out
}

/// `path: kind: name`, then `path:line:column: relation: kind: name` for each reference to it
pub fn named(named: &Named) -> String {
    let mut out: String = named.nodes.iter().map(node).collect();
    for User {
        node,
        relation,
        place,
    } in &named.users
    {
        out.push_str(&format!(
            "{}:{}:{}: {}: {}: {}\n",
            clean(&place.path),
            place.start.line,
            place.start.column,
            words::relation(*relation),
            words::node_kind(node.kind),
            clean(&node.name),
        ));
    }
    out
}

fn node(node: &Node) -> String {
    let path = clean(node.path.as_deref().unwrap_or_default());
    let (kind, name) = (words::node_kind(node.kind), clean(&node.name));
    format!("{path}: {kind}: {name}\n")
}

/// `path: fixed[rule]: title`
pub fn fixed(path: &str, fix: &Applied) -> String {
    format!(
        "{}: fixed[{}]: {}\n",
        clean(path),
        clean(&fix.rule),
        clean(&fix.title)
    )
}

/// `path: dialect: standing: name: tail`; the tail is the description, or the reason for the standing.
pub fn entry(entry: &Entry, tail: &str) -> String {
    line(&entry.origin, entry.standing, &entry.name, tail)
}

/// The same for an active agent.
pub fn agent(agent: &Agent) -> String {
    line(&agent.origin, Standing::Active, &agent.name, &agent.description)
}

/// `path: dialect: what happened: name`
pub fn change(dialect: &str, change: &Change) -> String {
    let path = clean(change.origin.path.as_deref().unwrap_or(&change.origin.source));
    let kind = words::change(change.kind);
    format!("{path}: {dialect}: {kind}: {}\n", clean(&change.name))
}

fn line(origin: &Origin, standing: Standing, name: &str, tail: &str) -> String {
    let path = clean(origin.path.as_deref().unwrap_or(&origin.source));
    format!(
        "{path}: {}: {}: {}: {}\n",
        origin.dialect,
        words::standing(standing),
        clean(name),
        clean(tail)
    )
}

/// `name: severity: summary`
pub fn rule(rule: &Rule) -> String {
    let severity = words::severity(rule.severity);
    format!("{}: {severity}: {}\n", clean(&rule.name), clean(&rule.summary))
}

/// `name: product`
pub fn dialect(dialect: &Dialect) -> String {
    format!("{}: {}\n", clean(&dialect.id), clean(&dialect.title))
}

/// `release: title`
pub fn release(release: &Reader) -> String {
    format!("{}: {}\n", clean(&release.id), clean(&release.title))
}
