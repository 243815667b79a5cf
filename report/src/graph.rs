//! Parts of a graph.

use callsheet_contract::projects::{Graph, Node, Verdict};

use crate::words;

/// The graph without what `edges` and `nodes` do not keep. A kept edge keeps its nodes, and a cycle needs all its edges.
fn part(graph: &Graph, edges: impl Fn(usize) -> bool, nodes: impl Fn(usize) -> bool) -> Graph {
    let kept_edges: Vec<usize> = (0..graph.edges.len()).filter(|at| edges(*at)).collect();
    let mut keeps: Vec<bool> = (0..graph.nodes.len()).map(nodes).collect();
    for at in &kept_edges {
        let edge = &graph.edges[*at];
        keeps[edge.source as usize] = true;
        if let Some(target) = edge.target {
            keeps[target as usize] = true;
        }
    }
    let kept_nodes: Vec<usize> = (0..keeps.len()).filter(|at| keeps[*at]).collect();
    let number = |kept: &[usize], at: u32| kept.binary_search(&(at as usize)).ok().map(short);
    let edge = |at: &usize| {
        let edge = graph.edges[*at].clone();
        let source = number(&kept_nodes, edge.source).unwrap_or_default();
        let target = edge.target.and_then(|target| number(&kept_nodes, target));
        callsheet_contract::projects::Edge {
            source,
            target,
            ..edge
        }
    };
    let cycle = |cycle: &Vec<u32>| cycle.iter().map(|at| number(&kept_edges, *at)).collect();
    Graph {
        nodes: kept_nodes.iter().map(|at| graph.nodes[*at].clone()).collect(),
        edges: kept_edges.iter().map(edge).collect(),
        cycles: graph.cycles.iter().filter_map(cycle).collect(),
    }
}

fn short(number: usize) -> u32 {
    u32::try_from(number).expect("the component numbers with 32 bits")
}

/// The missing references.
pub fn missing(graph: &Graph) -> Graph {
    part(graph, |at| graph.edges[at].verdict == Verdict::Missing, |_| false)
}

/// The files that refer to nothing and that nothing refers to.
pub fn orphans(graph: &Graph) -> Graph {
    let mut referring = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        referring[edge.source as usize] = true;
        if let Some(target) = edge.target {
            referring[target as usize] = true;
        }
    }
    part(graph, |_| false, |at| !referring[at])
}

/// The agents that can call each other without end.
pub fn cycles(graph: &Graph) -> Graph {
    let mut within = vec![false; graph.edges.len()];
    for edge in graph.cycles.iter().flatten() {
        within[*edge as usize] = true;
    }
    part(graph, |at| within[at], |_| false)
}

/// Whatever has this name, all that it leads to, and what refers to it; none if nothing has the name. `skill:NAME` is a skill only.
pub fn around(graph: &Graph, name: &str) -> Option<Graph> {
    let is_meant = |node: &Node| node.name == name || full_name(node) == name;
    let found: Vec<bool> = graph.nodes.iter().map(is_meant).collect();
    if !found.contains(&true) {
        return None;
    }
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (at, edge) in graph.edges.iter().enumerate() {
        edges[edge.source as usize].push(at);
    }
    let mut reached = found.clone();
    let mut next: Vec<usize> = (0..found.len()).filter(|at| found[*at]).collect();
    while let Some(node) = next.pop() {
        for at in &edges[node] {
            let target = graph.edges[*at].target.map(|target| target as usize);
            if let Some(target) = target.filter(|target| !reached[*target]) {
                reached[target] = true;
                next.push(target);
            }
        }
    }
    let is_kept = |at: usize| {
        let edge = &graph.edges[at];
        reached[edge.source as usize] || edge.target.is_some_and(|target| found[target as usize])
    };
    Some(part(graph, is_kept, |at| found[at]))
}

/// `kind:name`
fn full_name(node: &Node) -> String {
    format!("{}:{}", words::node_kind(node.kind), node.name)
}
