//! What is different between two looks.

use alloc::collections::BTreeMap;
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
    /// The file of the definition in force was written again.
    Changed,
    /// There is no agent of this name any more.
    Vanished,
    /// Another definition is in force now.
    NowWins,
    /// The definition in force no longer loads, and none takes its place.
    Broke,
    /// A definition that did not load is in force again.
    Mended,
}

/// What happened to a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The name.
    pub name: String,
    /// What happened.
    pub kind: ChangeKind,
    /// The definition in force now, or the one that was.
    pub origin: Origin,
}

/// What holds a name.
#[derive(Debug, PartialEq)]
pub(super) struct Holder {
    origin: Origin,
    stamp: Stamp,
    /// Whether it is in force; else it is the strongest of the broken ones.
    in_force: bool,
}

impl Ranking {
    /// Who holds each name: what changes are measured against.
    pub(super) fn holders(
        &self,
        items: &[Item],
        origin: impl Fn(usize) -> Origin,
    ) -> BTreeMap<String, Holder> {
        let mut holders = BTreeMap::new();
        for (index, standing) in self.order() {
            let in_force = standing == Standing::InForce;
            if !in_force && standing != Standing::Broken {
                continue;
            }
            let holder = Holder {
                origin: origin(index),
                stamp: items[index].stamp,
                in_force,
            };
            let name = &items[index].name;
            if in_force || !holders.contains_key(name) {
                holders.insert(name.clone(), holder);
            }
        }
        holders
    }
}

/// What is different between two looks, by name.
pub(super) fn changes(before: &BTreeMap<String, Holder>, after: &BTreeMap<String, Holder>) -> Vec<Change> {
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let mut changes: Vec<Change> = Vec::new();
    for name in after.keys().chain(gone) {
        let Some(change) = change(name, before.get(name), after.get(name)) else {
            continue;
        };
        let at = changes.partition_point(|other| *other.name < *change.name);
        changes.insert(at, change);
    }
    changes
}

fn change(name: &str, before: Option<&Holder>, after: Option<&Holder>) -> Option<Change> {
    let was = before.filter(|holder| holder.in_force);
    let is = after.filter(|holder| holder.in_force);
    let (kind, holder) = match (was, is) {
        (None, None) => return None,
        (None, Some(is)) if before.is_some_and(|broken| broken.origin == is.origin) => {
            (ChangeKind::Mended, is)
        }
        (None, Some(is)) => (ChangeKind::Appeared, is),
        (Some(was), None) if after.is_some_and(|broken| broken.origin == was.origin) => {
            (ChangeKind::Broke, was)
        }
        (Some(was), None) => (ChangeKind::Vanished, was),
        (Some(was), Some(is)) if was.origin != is.origin => (ChangeKind::NowWins, is),
        (Some(was), Some(is)) if was.stamp != is.stamp => (ChangeKind::Changed, is),
        _ => return None,
    };
    Some(Change {
        name: name.to_string(),
        kind,
        origin: holder.origin.clone(),
    })
}
