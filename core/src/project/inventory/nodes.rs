//! The nodes of a graph, by what they are known by.

use alloc::collections::BTreeMap;
use alloc::string::String;

use crate::catalog::Entry;
use crate::dialect::Dialect;
use crate::project::graph::Node;
use crate::project::named::{NodeKind, key};

/// The numbers of nodes.
#[derive(Default)]
pub(super) struct Nodes(BTreeMap<String, usize>);

impl Nodes {
    pub(super) fn add(&mut self, node: &Node, at: usize) {
        let dialect = node.dialect.as_deref().unwrap_or_default();
        let name = match (&node.path, node.kind) {
            (Some(path), NodeKind::Server) => server_key(path, &node.name),
            (path, kind) => file_key(dialect, kind, path.as_deref(), &node.name),
        };
        self.0.entry(name).or_insert(at);
    }

    /// A server, by the file that configures it.
    pub(super) fn server(&self, path: &str, name: &str) -> Option<usize> {
        self.0.get(&server_key(path, name)).copied()
    }

    /// A definition of a catalog.
    pub(super) fn of(&self, dialect: &Dialect, entry: &Entry) -> Option<usize> {
        let path = entry.origin.path.as_deref();
        let key = file_key(&dialect.id, NodeKind::File(dialect.kind), path, &entry.name);
        self.0.get(&key).copied()
    }
}

/// A definition is known by its file, or by its name if it has none.
fn file_key(dialect: &str, kind: NodeKind, path: Option<&str>, name: &str) -> String {
    match path {
        Some(path) => key(dialect, kind, path),
        None => key(dialect, kind, &["", name].join("\n")),
    }
}

fn server_key(path: &str, name: &str) -> String {
    key(path, NodeKind::Server, name)
}
