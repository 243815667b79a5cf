//! What files refer to.

use callsheet_contract::projects::{Edge, Graph, Node, NodeKind, Relation, Verdict};

use super::cell::{clean, cut_front, width};
use super::check::plural;
use super::look::Look;
use crate::report::{Named, User};
use crate::words;

/// The widest column of names before the places.
const NAMES: usize = 44;

/// Each file with what it refers to, then the cycles, and the number of references. `nothing` is printed for a graph without nodes.
pub fn references(look: &Look, graph: &Graph, nothing: &str) -> String {
    if graph.nodes.is_empty() {
        return format!("{nothing}\n");
    }
    let mut edges: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    let mut named = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        edges[edge.source as usize].push(edge);
        if let Some(target) = edge.target {
            named[target as usize] = true;
        }
    }
    // A target has a line below those that refer to it.
    let is_shown = |at: &usize| !edges[*at].is_empty() || !named[*at];
    let mut sections: Vec<(&str, Vec<usize>)> = Vec::new();
    for at in (0..graph.nodes.len()).filter(is_shown) {
        let heading = heading(&graph.nodes[at]);
        match sections.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, nodes)) => nodes.push(at),
            None => sections.push((heading, vec![at])),
        }
    }
    let mut out = String::new();
    for (heading, nodes) in sections {
        let gap = if out.is_empty() { "" } else { "\n" };
        out.push_str(&format!("{gap}{}\n", look.heading(clean(heading))));
        for at in nodes {
            let node = &graph.nodes[at];
            out.push_str(&line(look, 2, &title(node), None, &place(node)));
            for edge in &edges[at] {
                out.push_str(&reference(look, graph, edge));
            }
        }
    }
    for cycle in &graph.cycles {
        let edges = cycle.iter().map(|at| &graph.edges[*at as usize]);
        let mut names: Vec<String> = edges.map(|edge| source(graph, edge)).collect();
        names.extend(names.first().cloned());
        out.push_str(&format!("\n{} {}\n", look.doubtful("cycle:"), names.join(" → ")));
    }
    let gap = if out.is_empty() { "" } else { "\n" };
    format!("{out}{gap}{}\n", summary(graph))
}

fn heading(node: &Node) -> &str {
    match (&node.dialect, node.kind) {
        (Some(dialect), _) => dialect,
        (None, NodeKind::Server) => "MCP servers",
        (None, _) => "other files",
    }
}

/// The path of a node, unless that is its name.
fn place(node: &Node) -> String {
    let path = node.path.as_deref().filter(|_| node.kind != NodeKind::File);
    path.map(clean).unwrap_or_default()
}

/// Something that refers to something else.
pub fn user(user: &User) -> String {
    let User { node, place, .. } = user;
    format!("{} ({}:{})", title(node), clean(&place.path), place.start.line)
}

/// An MCP server or a file, and what refers to it.
pub fn named(look: &Look, named: &Named) -> String {
    let mut out = String::new();
    for node in &named.nodes {
        out.push_str(&line(look, 0, &title(node), None, &place(node)));
    }
    match named
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Server)
        .count()
    {
        0 | 1 => {}
        _ => out.push_str("  an agent uses the server that its own file configures, if it has one\n"),
    }
    out + &users(look, &named.users)
}

/// What refers to something, as a section; empty if nothing does.
pub fn users(look: &Look, users: &[User]) -> String {
    if users.is_empty() {
        return String::new();
    }
    let mut users: Vec<String> = users.iter().map(|it| format!("  {}\n", user(it))).collect();
    // One line of settings may name it several times.
    users.dedup();
    format!("{}\n{}", look.heading("Used by"), users.concat())
}

fn source(graph: &Graph, edge: &Edge) -> String {
    clean(&graph.nodes[edge.source as usize].name)
}

pub(super) fn title(node: &Node) -> String {
    format!("{} {}", words::node_kind(node.kind), clean(&node.name))
}

fn reference(look: &Look, graph: &Graph, edge: &Edge) -> String {
    let target = edge.target.map(|target| &graph.nodes[target as usize]);
    let verb = match edge.relation {
        Relation::Calls => "calls agent",
        Relation::RunsIn => "runs in agent",
        Relation::Loads => "loads skill",
        Relation::Uses => "uses server",
        Relation::LinksTo => "links to",
        Relation::Runs => "runs",
        Relation::Names => "names",
        Relation::DependsOn => "depends on plugin",
    };
    let place = format!("{}:{}", clean(&edge.place.path), edge.place.start.line);
    let (state, place) = match (edge.verdict, target.and_then(|target| target.path.as_deref())) {
        (Verdict::There, Some(path)) if !is_of_file(edge.relation) => (None, clean(path)),
        (Verdict::There, _) => (None, String::new()),
        (Verdict::Missing, _) => (Some(": missing"), place),
        (Verdict::Unknown, _) => (Some(": not known here"), place),
    };
    line(look, 4, &format!("{verb} {}", clean(&edge.name)), state, &place)
}

/// Whether the name is a path already.
fn is_of_file(relation: Relation) -> bool {
    matches!(relation, Relation::LinksTo | Relation::Runs)
}

/// A name with its state and its place, in two columns or on two lines.
pub(super) fn line(look: &Look, indent: usize, name: &str, state: Option<&str>, place: &str) -> String {
    let pad = " ".repeat(indent);
    let taken = indent + width(name) + state.map_or(0, str::len);
    let state = state.map(|state| look.bad(state)).unwrap_or_default();
    let column = NAMES.max(taken + 2);
    if place.is_empty() {
        format!("{pad}{name}{state}\n")
    } else if column + width(place) <= look.width {
        let gap = " ".repeat(column - taken);
        format!("{pad}{name}{state}{gap}{}\n", look.faint(place))
    } else {
        let place = cut_front(place, look.width.saturating_sub(indent + 4));
        format!("{pad}{name}{state}\n{pad}    {}\n", look.faint(place))
    }
}

fn summary(graph: &Graph) -> String {
    let count = |verdict| graph.edges.iter().filter(|edge| edge.verdict == verdict).count();
    let mut text = match graph.edges.len() {
        0 => {
            let files = graph.nodes.iter().filter(|node| node.kind != NodeKind::Server);
            plural(files.count(), "file") + " without references"
        }
        references => plural(references, "reference"),
    };
    for (verdict, word) in [
        (Verdict::Missing, "missing"),
        (Verdict::Unknown, "not known here"),
    ] {
        if count(verdict) > 0 {
            text.push_str(&format!(", {} {word}", count(verdict)));
        }
    }
    text
}
