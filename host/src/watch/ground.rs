//! The directories to watch so that no change is missed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// A directory of a catalog, which may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Its place, such as the project: the directories above are assumed to stay.
    pub top: PathBuf,
    /// The directory, at or below `top`.
    pub path: PathBuf,
    /// Whether subdirectories belong to it.
    pub recursive: bool,
}

impl Ground {
    /// The directory itself and those that lead to it, as far as they exist. Renaming a directory causes no event in those below it.
    fn chain(&self) -> impl Iterator<Item = &Path> {
        let top = self.path.ancestors().position(|path| path == self.top);
        let top = top.unwrap_or_default();
        let there = self
            .path
            .ancestors()
            .enumerate()
            .filter(|(_, path)| path.is_dir());
        let mut beyond = false;
        there
            .take_while(move |(steps, _)| !std::mem::replace(&mut beyond, *steps >= top))
            .map(|(_, path)| path)
    }
}

/// The places of grounds, for events: there may be thousands of both.
pub(super) struct Places(BTreeSet<PathBuf>);

impl Places {
    pub(super) fn of(grounds: &[Ground]) -> Self {
        Self(grounds.iter().map(|ground| ground.path.clone()).collect())
    }

    /// Whether an event at this path may matter.
    pub(super) fn concern(&self, path: &Path) -> bool {
        self.are_at_or_below(path) || path.ancestors().any(|above| self.0.contains(above))
    }

    /// Whether this path is one of them, or leads to one.
    pub(super) fn are_at_or_below(&self, path: &Path) -> bool {
        let from = (Bound::Included(path), Bound::Unbounded);
        let next = self.0.range::<Path, _>(from).next();
        next.is_some_and(|next| next.starts_with(path))
    }
}

/// The directories to listen to, and whether to include subdirectories.
pub(super) fn to_watch(grounds: &[Ground]) -> BTreeMap<&Path, bool> {
    let mut watched = BTreeMap::new();
    for ground in grounds {
        for path in ground.chain() {
            let below = ground.recursive && path == ground.path;
            *watched.entry(path).or_default() |= below;
        }
    }
    let recursive: Vec<&Path> = watched
        .iter()
        .filter(|(_, below)| **below)
        .map(|(path, _)| *path)
        .collect();
    let covered = |path: &Path| {
        recursive
            .iter()
            .any(|above| path != *above && path.starts_with(above))
    };
    watched.retain(|path, _| !covered(path));
    watched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(top: &Path, path: &str, recursive: bool) -> Ground {
        Ground {
            top: top.to_owned(),
            path: top.join(path),
            recursive,
        }
    }

    #[test]
    fn missing_directories_are_watched_from_their_parent() {
        let world = tempfile::tempdir().unwrap();
        let top = world.path();
        let grounds = [ground(top, ".claude/agents", true), ground(top, "agents", false)];
        assert_eq!(to_watch(&grounds), BTreeMap::from([(top, false)]));
        std::fs::create_dir_all(top.join(".claude")).unwrap();
        let claude = top.join(".claude");
        assert_eq!(
            to_watch(&grounds),
            BTreeMap::from([(top, false), (&*claude, false)])
        );
        let agents = top.join(".claude/agents");
        std::fs::create_dir_all(agents.join("deep")).unwrap();
        let deep = ground(&agents, "deep", false);
        let all = [grounds[0].clone(), grounds[1].clone(), deep];
        let expected = BTreeMap::from([(top, false), (&*claude, false), (&*agents, true)]);
        assert_eq!(to_watch(&all), expected);
    }

    #[test]
    fn a_missing_project_is_watched_from_its_parent() {
        let world = tempfile::tempdir().unwrap();
        let missing = world.path().join("nowhere");
        let grounds = [ground(&missing, "agents", true)];
        assert_eq!(to_watch(&grounds), BTreeMap::from([(world.path(), false)]));
    }

    #[test]
    fn other_files_are_not_watched() {
        let grounds = [".claude/agents", ".claude/agents-old", "z"];
        let places = Places::of(&grounds.map(|path| ground(Path::new("/p"), path, true)));
        let concern = |path: &str| places.concern(Path::new(path));
        for path in [
            "/",
            "/p",
            "/p/.claude",
            "/p/.claude/agents",
            "/p/.claude/agents/b/a.md",
            "/p/z",
        ] {
            assert!(concern(path), "{path}");
        }
        for path in [
            "/p/Cargo.lock",
            "/p/.claude/settings.json",
            "/p/.claude/agents.md",
            "/q",
            "/p/.cl",
        ] {
            assert!(!concern(path), "{path}");
        }
        assert!(places.are_at_or_below(Path::new("/p/.claude/agents")));
        assert!(!places.are_at_or_below(Path::new("/p/.claude/agents/a.md")));
    }
}
