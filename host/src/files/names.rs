//! Names of places, and their targets.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::root::Root;

/// The target of a name: a root, and a path below it.
pub(super) type Target = (Arc<Root>, PathBuf);

/// Names with their targets. There may be as many as files.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, Target>);

impl Names {
    /// Adds a name.
    pub(super) fn add(&mut self, name: &str, target: Target) {
        let name: Vec<&str> = segments(name).collect();
        self.0.insert(name.join("/"), target);
    }

    /// The target of `path`: below the longest name that it starts with. None if it starts with none of them or leaves it again.
    pub(super) fn resolve(&self, path: &str) -> Option<Target> {
        let path: Vec<&str> = segments(path).collect();
        let mut names = (0..=path.len()).rev().map(|length| path.split_at(length));
        let ((root, below), rest) =
            names.find_map(|(name, rest)| Some((self.0.get(&name.join("/"))?, rest)))?;
        if rest.iter().any(|segment| matches!(*segment, ".." | "/")) {
            return None;
        }
        Some((
            Arc::clone(root),
            rest.iter()
                .fold(below.clone(), |path, segment| path.join(segment)),
        ))
    }
}

/// A path's parts; the leading slash of an absolute path is one.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let absolute = path.starts_with('/').then_some("/");
    absolute
        .into_iter()
        .chain(path.split('/').filter(|segment| !matches!(*segment, "" | ".")))
}
