//! What all runs left behind.

use std::fmt;
use std::time::Duration;

/// A kind of damage. All have to be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Damage {
    /// A process that survived its run.
    Left,
    /// A session that could not be resumed, or a result that it forgot.
    Lost,
    /// A call that was made twice.
    Repeated,
    /// A temporary file, an open file, a readable session or a key.
    Leaked,
    /// An answer that is not the model's.
    Wrong,
    /// A run that crashed or did not end.
    Stuck,
}

const KINDS: [(Damage, &str); 6] = [
    (Damage::Left, "left running"),
    (Damage::Lost, "lost"),
    (Damage::Repeated, "repeated"),
    (Damage::Leaked, "leaked"),
    (Damage::Wrong, "wrong answers"),
    (Damage::Stuck, "crashed or stuck"),
];

/// The most examples that are printed of each kind.
const EXAMPLES: usize = 5;

/// What one run left behind, and what happened to it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) damage: Vec<(Damage, String)>,
    /// Disturbances and other events, counted by name.
    pub(crate) events: Vec<&'static str>,
}

impl Found {
    pub(crate) fn is(&mut self, kind: Damage, what: String) {
        self.damage.push((kind, what));
    }

    pub(crate) fn counts(&mut self, event: &'static str, times: usize) {
        self.events.extend(std::iter::repeat_n(event, times));
    }
}

#[derive(Debug, Default)]
pub(crate) struct Totals {
    runs: u64,
    damage: Vec<(Damage, String)>,
    events: std::collections::BTreeMap<&'static str, u64>,
    took: Duration,
    seed: u64,
}

impl Totals {
    pub(crate) fn add(&mut self, found: Found) {
        self.runs += 1;
        self.damage.extend(found.damage);
        for event in found.events {
            *self.events.entry(event).or_default() += 1;
        }
    }

    pub(crate) fn add_leaks(&mut self, leaks: Vec<String>) {
        self.damage
            .extend(leaks.into_iter().map(|leak| (Damage::Leaked, leak)));
    }

    pub(crate) fn took(&mut self, took: Duration, seed: u64) {
        (self.took, self.seed) = (took, seed);
    }

    pub(crate) fn runs(&self) -> u64 {
        self.runs
    }

    pub(crate) fn is_clean(&self) -> bool {
        self.runs > 0 && self.damage.is_empty()
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, _) in KINDS {
            let found = self.damage.iter().filter(|(is, _)| *is == kind);
            for (_, what) in found.take(EXAMPLES) {
                writeln!(to, "{kind:?}: {what}")?;
            }
        }
        writeln!(
            to,
            "{} runs in {} s, seed {}",
            self.runs,
            self.took.as_secs(),
            self.seed
        )?;
        for (event, times) in &self.events {
            writeln!(to, "  {times:>6}  {event}")?;
        }
        for (kind, name) in KINDS {
            let times = self.damage.iter().filter(|(is, _)| *is == kind).count();
            writeln!(to, "{times:>8}  {name}")?;
        }
        Ok(())
    }
}
