//! The rights of tools.

use alloc::string::String;
use alloc::vec::Vec;

include!(concat!(env!("OUT_DIR"), "/rights.rs"));

/// A right.
#[derive(Debug)]
pub struct Right {
    /// Its canonical name.
    pub id: &'static str,
    /// The display name, as a verb.
    pub words: &'static str,
    /// The rights that it implies.
    pub implies: Rights,
    /// The rights that together are equivalent to it; none if there are no such rights.
    pub within: Rights,
    /// Whether it changes nothing, so that it needs no confirmation.
    pub changes_nothing: bool,
    /// Whether it changes files or runs commands.
    pub acts: bool,
}

/// A set of rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rights(pub(super) u64);

impl Rights {
    /// All rights.
    pub fn all() -> Self {
        Self((1 << RIGHTS.len()) - 1)
    }

    /// The right of this canonical name.
    pub fn of(id: &str) -> Option<Self> {
        let at = RIGHTS.iter().position(|right| right.id == id);
        at.map(|at| Self(1 << at))
    }

    /// The canonical names.
    pub fn ids(self) -> impl Iterator<Item = &'static str> {
        self.iter().map(|right| right.id)
    }

    /// Each right.
    pub fn iter(self) -> impl Iterator<Item = &'static Right> {
        RIGHTS
            .iter()
            .enumerate()
            .filter(move |(at, _)| self.0 >> at & 1 == 1)
            .map(|(_, right)| right)
    }

    /// Each of them alone.
    pub fn each(self) -> impl Iterator<Item = Self> {
        (0..RIGHTS.len())
            .map(|at| Self(1 << at))
            .filter(move |right| self.meets(*right))
    }

    /// These, their implied rights, and rights that they are equivalent to together.
    pub fn closed(self) -> Self {
        let implied = self.iter().fold(self, |rights, right| rights.with(right.implies));
        let together = |right: &&Right| !right.within.is_empty() && implied.contains(right.within);
        let together = RIGHTS.iter().enumerate().filter(|(_, right)| together(right));
        together.fold(implied, |rights, (at, _)| rights.with(Self(1 << at)))
    }

    /// Both.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// These without the others.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether all of the others are among these.
    pub fn contains(self, other: Self) -> bool {
        other.without(self).is_empty()
    }

    /// Whether any of the others is among these.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether any of them changes files or runs commands.
    pub fn act(self) -> bool {
        self.iter().any(|right| right.acts)
    }

    /// What they let an agent do, as a list of verbs.
    pub fn words(self) -> String {
        let words: Vec<&str> = self.iter().map(|right| right.words).collect();
        words.join(", ")
    }

    /// Whether none of them changes anything.
    pub fn change_nothing(self) -> bool {
        self.iter().all(|right| right.changes_nothing)
    }
}
