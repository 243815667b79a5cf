//! Parts of a graph.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::graph::{Edge, Graph, Node, whole};
use super::listed::Listed;
use super::named::NodeKind;
use super::opened::Opener;
use super::{Project, Request};
use crate::catalog::{CatalogError, Relation};
use crate::closest::{closest, distance};
use crate::dialect::Dialects;
use crate::files::{Files, join};
use crate::offered::Verdict;
use crate::places::normal;

/// The surroundings that a graph is limited to.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Scope {
    /// None: all files.
    #[default]
    Everything,
    /// What has this name, all that it leads to, and what refers to it.
    Around(String),
    /// What has this name, and the references to it.
    Users(String),
}

/// A part of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// Missing references.
    Missing,
    /// Files that refer to nothing and that nothing refers to.
    Orphans,
    /// Agents that can call each other without end.
    Cycles,
}

/// The graph of a project, or of some of its files with all that they name, or a part of it. Fails as a check does.
pub fn graph(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    request: &Request,
    scope: &Scope,
    part: Part,
) -> Result<Graph, CatalogError> {
    let (project, request) = &super::normalized(dialects, project, request)?;
    let opener = Opener {
        files: &Listed::of(files),
        dialects,
        project,
        request,
    };
    Ok(whole(&opener)?.view(scope, part))
}

/// What is kept of a graph, besides the nodes of kept edges.
struct Kept {
    nodes: Vec<bool>,
    edges: Vec<bool>,
}

impl Graph {
    /// The part of the graph in these surroundings.
    fn view(mut self, scope: &Scope, part: Part) -> Self {
        if let Scope::Around(name) | Scope::Users(name) = scope {
            let named: Vec<bool> = self.nodes.iter().map(|node| node.is_named(name)).collect();
            let leads = |edge: &Edge| edge.leads_to(name, &named);
            self.named = (0..named.len()).filter(|at| named[*at]).collect();
            let kept = match scope {
                Scope::Around(_) => self.around(&named, &leads),
                _ => self.kept(&|at| named[at], &|_, edge| leads(edge)),
            };
            // The surroundings of a missing name are the references to it.
            let is_missing = matches!(scope, Scope::Around(_)) && kept.edges.contains(&true);
            if self.named.is_empty() && !is_missing {
                self.instead = Some(self.instead(name));
            }
            self.keep(kept);
        }
        let kept = match part {
            Part::Whole => return self,
            Part::Missing => self.kept(&|_| false, &|_, edge| edge.verdict == Verdict::Missing),
            Part::Orphans => self.orphans(),
            Part::Cycles => self.in_cycles(),
        };
        self.keep(kept);
        self
    }

    /// Drops the rest. A cycle needs all its edges.
    fn keep(&mut self, Kept { mut nodes, edges }: Kept) {
        for (edge, _) in self.edges.iter().zip(&edges).filter(|(_, kept)| **kept) {
            nodes[edge.from] = true;
            edge.to.into_iter().for_each(|to| nodes[to] = true);
        }
        let (node, edge) = (numbers(&nodes), numbers(&edges));
        let (mut kept_nodes, mut kept_edges) = (nodes.iter(), edges.iter());
        self.nodes.retain(|_| kept_nodes.next() == Some(&true));
        self.edges.retain(|_| kept_edges.next() == Some(&true));
        for edge in &mut self.edges {
            edge.from = node[edge.from];
            edge.to = edge.to.map(|to| node[to]);
        }
        self.cycles.retain(|cycle| cycle.iter().all(|at| edges[*at]));
        let all = self.cycles.iter_mut().flatten();
        all.for_each(|at| *at = edge[*at]);
        self.named.retain(|at| nodes[*at]);
        self.named.iter_mut().for_each(|at| *at = node[*at]);
    }

    fn in_cycles(&self) -> Kept {
        let mut within = vec![false; self.edges.len()];
        self.cycles.iter().flatten().for_each(|at| within[*at] = true);
        self.kept(&|_| false, &|at, _| within[at])
    }

    fn orphans(&self) -> Kept {
        let mut referring = vec![false; self.nodes.len()];
        for edge in &self.edges {
            referring[edge.from] = true;
            edge.to.into_iter().for_each(|to| referring[to] = true);
        }
        let is_file = |at: usize| matches!(self.nodes[at].kind, NodeKind::File(_));
        self.kept(&|at| is_file(at) && !referring[at], &|_, _| false)
    }

    fn around(&self, named: &[bool], leads: &dyn Fn(&Edge) -> bool) -> Kept {
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            out[edge.from].extend(edge.to);
        }
        let mut reached = named.to_vec();
        let mut next: Vec<usize> = (0..named.len()).filter(|at| named[*at]).collect();
        while let Some(node) = next.pop() {
            for to in &out[node] {
                if !reached[*to] {
                    reached[*to] = true;
                    next.push(*to);
                }
            }
        }
        self.kept(&|at| named[at], &|_, edge| reached[edge.from] || leads(edge))
    }

    fn kept(&self, node: &dyn Fn(usize) -> bool, edge: &dyn Fn(usize, &Edge) -> bool) -> Kept {
        let edges = self.edges.iter().enumerate();
        Kept {
            nodes: (0..self.nodes.len()).map(node).collect(),
            edges: edges.map(|(at, it)| edge(at, it)).collect(),
        }
    }

    /// The closest name; that of a plugin's file also by its last part.
    fn instead(&self, name: &str) -> Vec<String> {
        let mut kinds = self.nodes.iter().map(|node| node.kind);
        let name = kinds.find_map(|kind| of_kind(name, kind)).unwrap_or(name);
        let names = || self.nodes.iter().map(|node| &*node.name);
        let last = || {
            let is_close = |full: &&str| {
                let last = full.split_once(':').map(|(_, last)| last);
                last.is_some_and(|last| distance(name, last).is_some())
            };
            names().find(is_close)
        };
        let close = closest(name, names()).or_else(last);
        close.map(ToString::to_string).into_iter().collect()
    }
}

/// The new number of each kept one.
fn numbers(kept: &[bool]) -> Vec<usize> {
    let mut before = 0;
    let number = |kept: &bool| {
        let number = before;
        before += usize::from(*kept);
        number
    };
    kept.iter().map(number).collect()
}

impl Node {
    /// Whether it is meant by a name, by `kind:name`, or by the path of its file.
    fn is_named(&self, name: &str) -> bool {
        let is_path = self.kind != NodeKind::Server && self.path.as_deref() == Some(name);
        is_path || self.name == name || of_kind(name, self.kind) == Some(&self.name)
    }
}

impl Edge {
    /// Whether it leads to one of these nodes, or to none, but has their name.
    fn leads_to(&self, name: &str, named: &[bool]) -> bool {
        if let Some(to) = self.to {
            return named[to];
        }
        let is_link = self.relation == Relation::LinksTo;
        let is_it = |name: &str| self.name == name || is_link && self.linked() == name;
        let mut kinds = self.relation.targets().iter();
        is_it(name) || kinds.any(|kind| of_kind(name, *kind).is_some_and(is_it))
    }

    fn linked(&self) -> String {
        let folder = self.place.path.rsplit_once('/');
        normal(&join(folder.map_or("", |(folder, _)| folder), &self.name))
    }
}

/// The name in `kind:name`.
fn of_kind(name: &str, kind: NodeKind) -> Option<&str> {
    name.strip_prefix(kind.noun())?.strip_prefix(':')
}
