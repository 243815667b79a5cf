//! The precedence of equal names.

use alloc::string::String;
use alloc::vec::Vec;

use super::scan::Item;
use crate::definition::{Model, ToolFilter};
use crate::dialect::{Clash, Dialect, Origin};
use crate::order::sorted_indices;
use crate::places::file_name;
use crate::verdict::Outcome;

/// The status of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Active: its name resolves to it.
    Active,
    /// It is listed by the dialect, but cannot be called.
    Withheld,
    /// Another definition of its name is active.
    Shadowed,
    /// The dialect does not load it.
    Broken,
    /// The file is not an agent.
    NotAnAgent,
}

/// The summary of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// The tools it may use.
    pub tools: ToolFilter,
    /// The model.
    pub model: Model,
    /// Its display color.
    pub color: Option<String>,
    /// Whether users may choose it.
    pub for_users: bool,
    /// Whether models may choose it, unless the caller's file names what it may call.
    pub for_models: bool,
    /// Where it came from.
    pub origin: Origin,
    /// Its status.
    pub standing: Standing,
    /// The reason for its status.
    pub reason: String,
}

/// The items by name, the winner of each name first, and their statuses.
#[derive(Debug, Default)]
pub(super) struct Ranking {
    /// Items by name, each name's in order of precedence.
    strength: Vec<usize>,
    /// The status of each item, by its index.
    standings: Vec<Standing>,
}

impl Ranking {
    /// Something else may have taken a name.
    pub(super) fn new(
        dialect: &Dialect,
        items: &[Item],
        fail_closed: bool,
        is_taken: &dyn Fn(&str) -> bool,
    ) -> Self {
        let strength = sorted_indices(items.len(), &|a, b| {
            let names = items[a].name.cmp(&items[b].name);
            names.then_with(|| stronger_first(dialect, items, a, b))
        });
        let mut standings = alloc::vec![Standing::Broken; items.len()];
        for group in strength.chunk_by(|a, b| items[*a].name == items[*b].name) {
            let mut taken = is_taken(&items[group[0]].name);
            let mut loaded = group.iter().filter(|index| items[**index].outcome.loads());
            let disabled = loaded.find_map(|index| items[*index].disabled) == Some(true);
            for index in group {
                standings[*index] = match &items[*index].outcome {
                    Outcome::NotAnAgent(_) => Standing::NotAnAgent,
                    Outcome::Dropped(_) => {
                        taken |= fail_closed;
                        Standing::Broken
                    }
                    _ if taken || is_kept(dialect, &items[*index]) => Standing::Shadowed,
                    outcome if disabled || matches!(outcome, Outcome::Withheld(_)) => {
                        taken = true;
                        Standing::Withheld
                    }
                    _ => {
                        taken = !matches!(dialect.clash, Clash::All | Clash::Prefixed);
                        Standing::Active
                    }
                };
            }
        }
        Self { strength, standings }
    }

    pub(super) fn standing(&self, index: usize) -> Standing {
        self.standings[index]
    }

    /// Items by name, the active one first.
    pub(super) fn order(&self) -> impl Iterator<Item = (usize, Standing)> {
        self.strength.iter().map(|index| (*index, self.standings[*index]))
    }

    /// The items of a name, in order of precedence.
    pub(super) fn named(&self, items: &[Item], name: &str) -> &[usize] {
        let start = self.strength.partition_point(|index| *items[*index].name < *name);
        let length = self.strength[start..].partition_point(|index| items[*index].name == name);
        &self.strength[start..start + length]
    }

    pub(super) fn active<'a>(&'a self, items: &'a [Item]) -> impl Iterator<Item = &'a Item> {
        let winners = self.order().filter(|(_, standing)| *standing == Standing::Active);
        winners.map(|(index, _)| &items[index])
    }

    pub(super) fn winner(&self, items: &[Item], name: &str) -> Option<usize> {
        let named = self.named(items, name).iter().copied();
        named
            .into_iter()
            .find(|index| self.standings[*index] == Standing::Active)
    }

    /// The loadable definitions of lower precedence, in order of precedence.
    pub(super) fn weaker(&self, items: &[Item], winner: usize) -> Vec<usize> {
        let named = self.named(items, &items[winner].name).iter().copied();
        named
            .filter(|index| self.standings[*index] == Standing::Shadowed)
            .collect()
    }

    /// The winner of this item's name, if it is another item.
    pub(super) fn holder(&self, items: &[Item], index: usize) -> Option<usize> {
        let named = self.named(items, &items[index].name).iter().copied();
        let holds = |index: &usize| matches!(self.standings[*index], Standing::Active | Standing::Withheld);
        named.into_iter().find(holds).filter(|holder| *holder != index)
    }
}

/// Whether a built-in agent that is not here wins over this file.
pub(super) fn is_kept(dialect: &Dialect, item: &Item) -> bool {
    item.path.is_some() && dialect.keeps_names && dialect.other_agents.contains(&item.name)
}

fn stronger_first(dialect: &Dialect, items: &[Item], a: usize, b: usize) -> core::cmp::Ordering {
    let slots = items[b].slot.cmp(&items[a].slot);
    slots
        .then_with(|| extension(dialect, &items[a]).cmp(&extension(dialect, &items[b])))
        .then_with(|| match dialect.clash {
            Clash::LastWins if dialect.files.by_path => items[b].path.cmp(&items[a].path).then(b.cmp(&a)),
            Clash::FirstWins | Clash::LastSourceWins => a.cmp(&b),
            Clash::LastWins | Clash::Merge | Clash::All | Clash::Prefixed => b.cmp(&a),
        })
}

/// The rank of a file's extension.
pub(super) fn extension(dialect: &Dialect, item: &Item) -> Option<usize> {
    let path = item.path.as_deref().unwrap_or_default();
    let file = file_name(path);
    dialect.extension_rank(file)
}
