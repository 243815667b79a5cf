//! Runs of a case, and what they come to.

use std::fmt;
use std::iter::Sum;

use super::amount;
use crate::delegation::Usage;

/// One run of a case.
#[derive(Clone, Debug, Default)]
pub struct Try {
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// The answer; empty if there is none.
    pub answer: String,
    /// What it used; none if it did not start.
    pub usage: Option<Usage>,
}

/// A problem, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The problem.
    pub message: String,
    /// The advice.
    pub help: Vec<String>,
}

impl Problem {
    /// A problem without advice.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: Vec::new(),
        }
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}

impl From<Problem> for Try {
    /// A run that did not start.
    fn from(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
            ..Self::default()
        }
    }
}

/// Runs of a case.
#[derive(Clone, Debug, Default)]
pub struct Tries(pub Vec<Try>);

impl Tries {
    /// The number that passed.
    pub fn passed(&self) -> usize {
        self.0.iter().filter(|one| one.problems.is_empty()).count()
    }

    /// The part that passed.
    pub(super) fn pass_rate(&self) -> f64 {
        self.passed() as f64 / self.0.len().max(1) as f64
    }

    /// Each problem once, with the number of the first try that had it.
    pub(super) fn problems(&self) -> Vec<(usize, &Problem)> {
        let mut known: Vec<(usize, &Problem)> = Vec::new();
        for (number, one) in (1..).zip(&self.0) {
            for problem in &one.problems {
                if !known.iter().any(|(_, it)| *it == problem) {
                    known.push((number, problem));
                }
            }
        }
        known
    }

    pub(super) fn figures(&self) -> Figures {
        let usages = self.0.iter().filter_map(|one| one.usage.as_ref());
        let used = usages.map(|usage| Figures {
            turns: usage.turns.into(),
            tokens: usage.input_tokens.saturating_add(usage.output_tokens),
            cost: usage.cost,
            ..Figures::default()
        });
        Figures {
            tries: self.0.len(),
            passed: self.passed(),
            ..used.sum()
        }
    }
}

/// The sums of several tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) tries: usize,
    pub(super) passed: usize,
    pub(super) turns: u64,
    pub(super) tokens: u64,
    /// In millionths; 0 if no price is known.
    pub(super) cost: u64,
}

impl Figures {
    /// The cost, empty if no price is known.
    pub(super) fn cost(&self) -> String {
        if self.cost > 0 {
            amount(self.cost)
        } else {
            String::new()
        }
    }
}

impl Sum for Figures {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, it| Self {
            tries: sum.tries + it.tries,
            passed: sum.passed + it.passed,
            turns: sum.turns.saturating_add(it.turns),
            tokens: sum.tokens.saturating_add(it.tokens),
            cost: sum.cost.saturating_add(it.cost),
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tries,
            passed,
            turns,
            tokens,
            ..
        } = self;
        write!(to, "{passed} of {tries} passed, turns {turns}, tokens {tokens}")?;
        match self.cost {
            0 => Ok(()),
            cost => write!(to, ", cost {}", amount(cost)),
        }
    }
}

/// An agent's tries and those of its baseline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) agent: Figures,
    pub(super) baseline: Figures,
}

impl Compared {
    /// Both, with their names.
    pub(super) fn rows(&self) -> [(&'static str, &Figures); 2] {
        [("agent", &self.agent), ("baseline", &self.baseline)]
    }
}
