//! Files and what they refer to.

use serde::Serialize;

use callsheet_contract::projects as wit;

use super::diagnostic::{Position, Span};
use crate::{report, words};

#[derive(Serialize)]
pub(super) struct Graph<'a> {
    nodes: Vec<Node<'a>>,
    edges: Vec<Edge<'a>>,
    cycles: &'a [Vec<u32>],
}

impl<'a> From<&'a wit::Graph> for Graph<'a> {
    fn from(graph: &'a wit::Graph) -> Self {
        Self {
            nodes: graph.nodes.iter().map(Into::into).collect(),
            edges: graph.edges.iter().map(Into::into).collect(),
            cycles: &graph.cycles,
        }
    }
}

/// A reference to something.
#[derive(Serialize)]
pub(super) struct User<'a> {
    kind: &'static str,
    name: &'a str,
    dialect: Option<&'a str>,
    relation: &'static str,
    path: &'a str,
    span: Span,
    start: Position,
    end: Position,
}

impl<'a> From<&'a report::User> for User<'a> {
    fn from(user: &'a report::User) -> Self {
        Self {
            kind: words::node_kind(user.node.kind),
            name: &user.node.name,
            dialect: user.node.dialect.as_deref(),
            relation: words::relation(user.relation),
            path: &user.place.path,
            span: user.place.span.into(),
            start: user.place.start.into(),
            end: user.place.end.into(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct Node<'a> {
    kind: &'static str,
    name: &'a str,
    dialect: Option<&'a str>,
    path: Option<&'a str>,
    standing: Option<&'static str>,
}

impl<'a> From<&'a wit::Node> for Node<'a> {
    fn from(node: &'a wit::Node) -> Self {
        Self {
            kind: words::node_kind(node.kind),
            name: &node.name,
            dialect: node.dialect.as_deref(),
            path: node.path.as_deref(),
            standing: node.standing.map(words::standing),
        }
    }
}

#[derive(Serialize)]
struct Edge<'a> {
    source: u32,
    target: Option<u32>,
    relation: &'static str,
    name: &'a str,
    path: &'a str,
    span: Span,
    start: Position,
    end: Position,
    verdict: &'static str,
}

impl<'a> From<&'a wit::Edge> for Edge<'a> {
    fn from(edge: &'a wit::Edge) -> Self {
        Self {
            source: edge.source,
            target: edge.target,
            relation: words::relation(edge.relation),
            name: &edge.name,
            path: &edge.place.path,
            span: edge.place.span.into(),
            start: edge.place.start.into(),
            end: edge.place.end.into(),
            verdict: words::verdict(edge.verdict),
        }
    }
}
