//! Differences between two refreshes.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Standing;
use super::resolve::Ranking;
use super::scan::Item;
use crate::dialect::Origin;
use crate::files::Stamp;

/// What happened to a name between two refreshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// There was no agent of this name.
    Appeared,
    /// The file of the active definition was written again.
    Changed,
    /// The name has no agent any more.
    Vanished,
    /// Another definition is active now.
    NowWins,
    /// The active definition no longer loads, and none replaces it.
    Broke,
    /// A definition that did not load is active again.
    Fixed,
}

/// What happened to a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The name.
    pub name: String,
    /// What happened.
    pub kind: ChangeKind,
    /// The definition that is active now, or the last one that was.
    pub origin: Origin,
}

/// The winner of a name.
#[derive(Debug, PartialEq)]
pub(super) struct Holder {
    origin: Origin,
    stamp: Stamp,
    /// It may be in settings that name the file.
    description: String,
    /// Whether it is active; otherwise it is the first of the broken ones.
    active: bool,
}

impl Ranking {
    /// The winner of each name, to compare with the next refresh.
    pub(super) fn holders(
        &self,
        items: &[Item],
        origin: impl Fn(usize) -> Origin,
    ) -> BTreeMap<String, Holder> {
        let mut holders = BTreeMap::new();
        for (index, standing) in self.order() {
            let active = standing == Standing::Active;
            if !active && standing != Standing::Broken {
                continue;
            }
            let holder = Holder {
                origin: origin(index),
                stamp: items[index].stamp,
                description: items[index].description.clone(),
                active,
            };
            let name = &items[index].name;
            if active || !holders.contains_key(name) {
                holders.insert(name.clone(), holder);
            }
        }
        holders
    }
}

/// The differences between two refreshes, by name.
pub(super) fn changes(before: &BTreeMap<String, Holder>, after: &BTreeMap<String, Holder>) -> Vec<Change> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names
        .into_iter()
        .filter_map(|name| change(name, before.get(name), after.get(name)))
        .collect()
}

fn change(name: &str, before: Option<&Holder>, after: Option<&Holder>) -> Option<Change> {
    let was = before.filter(|holder| holder.active);
    let is = after.filter(|holder| holder.active);
    let (kind, holder) = match (was, is) {
        (None, None) => return None,
        (None, Some(is)) if before.is_some_and(|broken| broken.origin == is.origin) => {
            (ChangeKind::Fixed, is)
        }
        (None, Some(is)) => (ChangeKind::Appeared, is),
        (Some(was), None) if after.is_some_and(|broken| broken.origin == was.origin) => {
            (ChangeKind::Broke, was)
        }
        (Some(was), None) => (ChangeKind::Vanished, was),
        (Some(was), Some(is)) if was.origin != is.origin => (ChangeKind::NowWins, is),
        (Some(was), Some(is)) if was.stamp != is.stamp || was.description != is.description => {
            (ChangeKind::Changed, is)
        }
        _ => return None,
    };
    Some(Change {
        name: name.to_string(),
        kind,
        origin: holder.origin.clone(),
    })
}
