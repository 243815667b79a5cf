//! Permissions in words, and the ways to those that agents reach.

use callsheet_contract::projects::{Asset, Inventory, Permission, Reached};

use super::text::clean;

/// The permission to call agents.
pub(crate) const DELEGATE: &str = "delegate";

/// The most agents of a way. A longer one is cut before its end.
const STEPS: usize = 6;

/// A permission with its patterns.
pub(crate) fn permission(permission: &Permission) -> String {
    match &*permission.patterns {
        [] => permission.name.clone(),
        patterns => format!("{} ({})", permission.name, patterns.join(", ")),
    }
}

/// The ways to reached permissions, each with the permissions at its end.
pub(crate) fn ways(inventory: &Inventory, asset: &Asset) -> Vec<(String, Vec<String>)> {
    let mut ways: Vec<(String, Vec<String>)> = Vec::new();
    for reached in &asset.reached {
        let way = way(inventory, reached);
        let part = if reached.limited { " (in part)" } else { "" };
        let name = format!("{}{part}", reached.permission);
        match ways.iter_mut().find(|(known, _)| *known == way) {
            Some((_, names)) => names.push(name),
            None => ways.push((way, vec![name])),
        }
    }
    ways
}

/// The agents on the way to a permission.
fn way(inventory: &Inventory, reached: &Reached) -> String {
    let name = |node: u32| clean(&inventory.graph.nodes[node as usize].name);
    let (mut names, mut node) = (vec![name(reached.next)], reached.next);
    while node != reached.owner {
        let asset = asset(inventory, node);
        let is_same = |other: &&Reached| other.permission == reached.permission;
        let next = asset.and_then(|asset| asset.reached.iter().find(is_same));
        match next {
            // The last one takes no more space than the sign for it.
            Some(next) if names.len() < STEPS || next.next == reached.owner => node = next.next,
            _ => {
                names.extend(["…".to_owned(), name(reached.owner)]);
                break;
            }
        }
        names.push(name(node));
    }
    names.join(" → ")
}

/// The asset of a node.
fn asset(inventory: &Inventory, node: u32) -> Option<&Asset> {
    let at = inventory.assets.binary_search_by_key(&node, |asset| asset.node);
    at.ok().map(|at| &inventory.assets[at])
}
