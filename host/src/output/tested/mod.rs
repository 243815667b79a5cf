//! The results of test cases.

mod document;
mod html;
mod junit;
mod markdown;
mod text;

pub use self::document::document;
pub use self::html::html;
pub use self::junit::junit;
pub use self::markdown::markdown;
pub use self::text::{case, summary};
use crate::cases::PassRate;
use crate::delegation::Usage;

/// The results of a run of test cases.
#[derive(Clone, Debug)]
pub struct Tested {
    /// Whether models were asked; otherwise recordings were replayed.
    pub is_live: bool,
    /// Each case file.
    pub files: Vec<TestedFile>,
}

/// The results of a case file.
#[derive(Clone, Debug)]
pub struct TestedFile {
    /// Its path.
    pub path: String,
    /// In their order.
    pub cases: Vec<TestedCase>,
}

/// The results of a case.
#[derive(Clone, Debug)]
pub struct TestedCase {
    /// Its ID.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// What was not checked.
    pub statements: Vec<String>,
    /// Each run.
    pub tries: Vec<Try>,
    /// The part of them that must pass.
    pub min_pass_rate: PassRate,
}

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

impl Tested {
    /// Every case.
    pub fn cases(&self) -> impl Iterator<Item = &TestedCase> {
        self.files.iter().flat_map(|file| &file.cases)
    }

    /// The number of cases that passed.
    pub fn passed(&self) -> usize {
        self.cases().filter(|case| case.has_passed()).count()
    }
}

impl TestedCase {
    /// Whether enough tries passed.
    pub fn has_passed(&self) -> bool {
        self.passed() >= self.needed()
    }

    /// The number of tries that must pass.
    fn needed(&self) -> usize {
        self.min_pass_rate.needed(self.tries.len())
    }

    /// The number of tries that passed.
    pub fn passed(&self) -> usize {
        self.tries.iter().filter(|one| one.problems.is_empty()).count()
    }

    /// The tokens and the cost of all tries.
    fn used(&self) -> (u64, u64) {
        let usages = self.tries.iter().filter_map(|one| one.usage.as_ref());
        usages.fold((0, 0), |(tokens, cost), usage| {
            let more = usage.input_tokens.saturating_add(usage.output_tokens);
            (
                u64::saturating_add(tokens, more),
                u64::saturating_add(cost, usage.cost),
            )
        })
    }

    /// `passed`, `failed`, or how many of the tries passed, and how many must if not all.
    fn result(&self) -> String {
        let (tries, passed, needed) = (self.tries.len(), self.passed(), self.needed());
        match (tries, self.has_passed()) {
            (1, true) => "passed".to_owned(),
            (1, false) => "failed".to_owned(),
            _ if needed < tries => format!("{passed} of {tries} tries passed, {needed} required"),
            _ => format!("{passed} of {tries} tries passed"),
        }
    }

    /// Each problem once, with the number of the first try that had it.
    fn problems(&self) -> Vec<(usize, &Problem)> {
        let mut known: Vec<(usize, &Problem)> = Vec::new();
        for (number, one) in (1..).zip(&self.tries) {
            for problem in &one.problems {
                if !known.iter().any(|(_, it)| *it == problem) {
                    known.push((number, problem));
                }
            }
        }
        known
    }
}

/// In units of the currency.
fn amount(millionths: u64) -> String {
    format!("{}.{:04}", millionths / 1_000_000, millionths % 1_000_000 / 100)
}

/// What a replay proves.
const REPLAYED: &str =
    "Recordings were replayed: this tests wiring, permissions and formats, not what a model would say now.";
