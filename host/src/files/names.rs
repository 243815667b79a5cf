//! Names of places, and what they lead to.

use std::path::PathBuf;
use std::sync::Arc;

use super::root::Root;

/// Where a name leads: below which root, and where there.
pub(super) type Target = (Arc<Root>, PathBuf);

/// Names with the places that they lead to.
#[derive(Default)]
pub(super) struct Names(Vec<(Vec<String>, Target)>);

impl Names {
    /// Adds a name.
    pub(super) fn add(&mut self, name: &str, target: Target) {
        self.0.push((segments(name).map(str::to_owned).collect(), target));
    }

    /// Where `path` leads: below the longest of the names that it begins with. None if it begins with none of them or
    /// climbs out again.
    pub(super) fn resolve(&self, path: &str) -> Option<Target> {
        let path: Vec<&str> = segments(path).collect();
        let begins = self
            .0
            .iter()
            .filter(|(name, _)| path.len() >= name.len() && path.iter().zip(name).all(|(a, b)| a == b));
        let (name, (root, below)) = begins.max_by_key(|(name, _)| name.len())?;
        let rest = &path[name.len()..];
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
