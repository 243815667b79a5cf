//! Why a name resolves to a definition.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::search::nearest;
use super::{Catalog, Entry, Standing};
use crate::closest::{distance, fold};
use crate::dialect::Kind;
use crate::limits::NEAR_MISSES;

/// Why a name may be the one that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// Equal up to case and separators.
    Folded,
    /// The file's stem is the name asked for, but the agent has another name.
    FileName,
    /// A few letters differ.
    Similar,
}

/// A definition whose name is close to the one asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMiss {
    /// The definition.
    pub entry: Entry,
    /// How close.
    pub nearness: Nearness,
}

/// Why a name resolves to a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The name asked for.
    pub name: String,
    /// The precedence rule.
    pub rule: String,
    /// Every definition of the name, the winner first.
    pub candidates: Vec<Entry>,
    /// Similar names if none is the one asked for, the closest first.
    pub near: Vec<NearMiss>,
    /// The product's own message, if no active agent has the name.
    pub refusal: Option<String>,
}

impl Catalog {
    /// Every definition of this name, and why one of them wins.
    pub fn explain(&mut self, name: &str) -> Explanation {
        let is_name = !self.ranking.named(&self.items, name).is_empty();
        let titled = (!is_name).then(|| self.titled(name)).flatten();
        let own = titled.map_or(name, |index| &self.items[index].name);
        let mut candidates = self.ranking.named(&self.items, own).to_vec();
        if candidates.is_empty() {
            candidates = self.sharing(name);
        }
        let unread = candidates.iter().any(|index| self.is_unread(*index));
        let candidates: Vec<Entry> = candidates.iter().map(|index| self.entry(*index)).collect();
        let active = candidates.iter().any(|entry| entry.standing == Standing::Active);
        Explanation {
            name: name.to_string(),
            rule: self.dialect.clash.words().to_string(),
            near: if candidates.is_empty() {
                self.near(name)
            } else {
                Vec::new()
            },
            refusal: self.refusal(name).filter(|_| !active && !unread),
            candidates,
        }
    }

    fn near(&self, name: &str) -> Vec<NearMiss> {
        let others = self
            .ranking
            .order()
            .filter(|(_, standing)| *standing != Standing::Shadowed);
        let near = others.filter_map(|(index, _)| {
            let (nearness, distance) = self.nearness(name, index)?;
            Some(((nearness as u32) << 8 | distance, index))
        });
        nearest(near.collect(), NEAR_MISSES)
            .filter_map(|index| {
                let (nearness, _) = self.nearness(name, index)?;
                let entry = self.entry(index);
                Some(NearMiss { entry, nearness })
            })
            .collect()
    }

    /// How close the name of an item is, and the letters that differ.
    fn nearness(&self, name: &str, index: usize) -> Option<(Nearness, u32)> {
        let item = &self.items[index];
        if item.name == name {
            None
        } else if fold(&item.name) == fold(name) {
            Some((Nearness::Folded, 0))
        } else if item
            .path
            .as_deref()
            .is_some_and(|path| *self.dialect.stem(path) == *name)
        {
            Some((Nearness::FileName, 0))
        } else {
            let distance = u32::try_from(distance(name, &item.name)?).ok()?;
            Some((Nearness::Similar, distance))
        }
    }

    /// The product's message; those for skills and commands are not known.
    fn refusal(&self, name: &str) -> Option<String> {
        let text = self.dialect.not_found.replace("{name}", name);
        let is_agent = self.dialect.kind == Kind::Agent;
        is_agent.then(|| text.replace("{names}", &self.names().join(", ")))
    }
}
