//! A graph in the languages of drawing tools.

use callsheet_contract::projects::{Edge, Graph, Node, NodeKind, Relation, Verdict};

use super::text::clean;
use super::words;

/// The default of Mermaid's option `maxEdges`, which a diagram cannot set.
const MERMAID_MOST: usize = 500;

/// For Graphviz.
pub fn dot(graph: &Graph) -> String {
    let mut out = String::from("digraph callsheet {\n  rankdir=LR\n  node [fontname=\"sans-serif\"]\n");
    for (at, node) in graph.nodes.iter().enumerate() {
        let shape = match node.kind {
            NodeKind::Agent => "box",
            NodeKind::Skill => "ellipse",
            NodeKind::Command => "hexagon",
            NodeKind::Server => "cylinder",
            NodeKind::Plugin => "component",
            NodeKind::File => "note",
        };
        let label = quoted(&format!("{} {}", words::node_kind(node.kind), clean(&node.name)));
        out.push_str(&format!("  n{at} [label={label} shape={shape}]\n"));
    }
    for (at, edge) in graph.edges.iter().enumerate() {
        let label = quoted(word(edge.relation));
        match edge.target {
            Some(target) => out.push_str(&format!("  n{} -> n{target} [label={label}]\n", edge.source)),
            None => {
                let color = if is_missing(edge) { "red" } else { "gray" };
                let name = quoted(&absent(edge));
                out.push_str(&format!(
                    "  m{at} [label={name} shape=plaintext fontcolor={color}]\n  n{} -> m{at} [label={label} color={color} style=dashed]\n",
                    edge.source
                ));
            }
        }
    }
    out + "}\n"
}

/// For Markdown.
pub fn mermaid(graph: &Graph) -> String {
    let mut out = String::from("flowchart LR\n");
    for (at, node) in graph.nodes.iter().enumerate() {
        let (open, close) = brackets(node);
        let label = escaped(&format!("{} {}", words::node_kind(node.kind), clean(&node.name)));
        out.push_str(&format!("  n{at}{open}\"{label}\"{close}\n"));
    }
    for (at, edge) in graph.edges.iter().enumerate() {
        let label = word(edge.relation);
        match edge.target {
            Some(target) => out.push_str(&format!("  n{} -->|{label}| n{target}\n", edge.source)),
            None => out.push_str(&format!(
                "  n{} -.->|{label}| m{at}[\"{}\"]:::{}\n",
                edge.source,
                escaped(&absent(edge)),
                if is_missing(edge) { "missing" } else { "unknown" }
            )),
        }
    }
    out + "  classDef missing stroke:#c00,color:#c00\n  classDef unknown stroke:#888,color:#888\n"
}

/// A note for a graph that Mermaid does not draw.
pub fn too_many(graph: &Graph) -> Option<String> {
    let references = graph.edges.len();
    (references > MERMAID_MOST).then(|| {
        format!(
            "note: Mermaid draws at most {MERMAID_MOST} references unless `maxEdges` is set, and this has {references}: choose a name with \
             `--focus`, or use `--format dot`"
        )
    })
}

fn brackets(node: &Node) -> (&'static str, &'static str) {
    match node.kind {
        NodeKind::Agent => ("[", "]"),
        NodeKind::Skill => ("([", "])"),
        NodeKind::Command => ("{{", "}}"),
        NodeKind::Server => ("[(", ")]"),
        NodeKind::Plugin => ("[[", "]]"),
        NodeKind::File => ("[/", "/]"),
    }
}

fn is_missing(edge: &Edge) -> bool {
    edge.verdict == Verdict::Missing
}

fn absent(edge: &Edge) -> String {
    let state = if is_missing(edge) {
        "missing"
    } else {
        "not known here"
    };
    format!("{}: {state}", clean(&edge.name))
}

pub(crate) fn word(relation: Relation) -> &'static str {
    match relation {
        Relation::Calls => "calls",
        Relation::RunsIn => "runs in",
        Relation::Loads => "loads",
        Relation::Uses => "uses",
        Relation::LinksTo => "links to",
        Relation::Runs => "runs",
        Relation::Names => "names",
        Relation::DependsOn => "depends on",
    }
}

/// A string of DOT.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Text between quotes in Mermaid, which reads entities.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '-' | '_' | '.' | '/' | ':' => out.push(c),
            other => out.push_str(&format!("#{};", u32::from(other))),
        }
    }
    out
}
