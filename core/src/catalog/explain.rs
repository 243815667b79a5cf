//! Who carries a name, and why.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Catalog, Entry, Standing};
use crate::closest::{distance, fold};
use crate::dialect::{Clash, Dialect};
use crate::document::stem;
use crate::limits::NEAR_MISSES;

/// Why a name that was not asked for may be meant all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// Equal up to case and separators.
    Folded,
    /// The file's stem is the name asked for, but the agent is called otherwise.
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

/// Who carries a name, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The name asked for.
    pub name: String,
    /// The rule that decides.
    pub rule: String,
    /// Every definition of the name, the strongest first.
    pub candidates: Vec<Entry>,
    /// Names that may be meant, the closest first.
    pub near: Vec<NearMiss>,
    /// What the product itself says to the name, if no agent in force carries it.
    pub refusal: Option<String>,
}

impl Dialect {
    /// Who wins among equal names, in words.
    pub fn clash_words(&self) -> &'static str {
        match self.clash {
            Clash::FirstWins => "the first source that has a name keeps it",
            Clash::LastWins => "the last source that has a name takes it",
            Clash::Merge => {
                "the last source that has a name goes before, and keys it lacks come from the ones before"
            }
        }
    }
}

impl Catalog {
    /// Who carries this name, and why.
    pub fn explain(&self, name: &str) -> Explanation {
        let candidates = self.ranking.named(&self.items, name);
        let candidates: Vec<Entry> = candidates.iter().map(|index| self.entry(*index)).collect();
        let in_force = candidates.iter().any(|entry| entry.standing == Standing::InForce);
        Explanation {
            name: name.to_string(),
            rule: self.dialect.clash_words().to_string(),
            near: self.near(name),
            refusal: (!in_force).then(|| self.refusal(name)),
            candidates,
        }
    }

    fn near(&self, name: &str) -> Vec<NearMiss> {
        let folded = fold(name);
        let mut near: Vec<(Nearness, usize, usize)> = self
            .ranking
            .order()
            .filter(|(index, standing)| self.items[*index].name != name && *standing != Standing::Shadowed)
            .filter_map(|(index, _)| {
                let item = &self.items[index];
                if fold(&item.name) == folded {
                    return Some((Nearness::Folded, 0, index));
                }
                if item.path.as_deref().is_some_and(|path| stem(path) == name) {
                    return Some((Nearness::FileName, 0, index));
                }
                Some((Nearness::Similar, distance(name, &item.name)?, index))
            })
            .collect();
        near.sort_by_key(|(nearness, distance, _)| (*nearness, *distance));
        near.truncate(NEAR_MISSES);
        near.into_iter()
            .map(|(nearness, _, index)| NearMiss {
                entry: self.entry(index),
                nearness,
            })
            .collect()
    }

    fn refusal(&self, name: &str) -> String {
        let text = self.dialect.not_found.replace("{name}", name);
        text.replace("{names}", &self.names().join(", "))
    }
}
