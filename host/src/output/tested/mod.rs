//! The results of test cases.

mod document;
mod html;
mod junit;
mod markdown;
mod text;
mod tries;

pub use self::document::document;
pub use self::html::html;
pub use self::junit::junit;
pub use self::markdown::markdown;
pub use self::text::{case, summary};
use self::tries::{Compared, Figures};
pub use self::tries::{Problem, Tries, Try};
use super::live::amount;
use crate::cases::PassRate;

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
    pub tries: Tries,
    /// The part of them that must pass.
    pub min_pass_rate: PassRate,
    /// As many runs without the agent's instructions, if requested.
    pub baseline: Option<Tries>,
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

    /// All tries, those of baselines included.
    fn figures(&self) -> Figures {
        let tries = self
            .cases()
            .flat_map(|case| [Some(&case.tries), case.baseline.as_ref()]);
        tries.flatten().map(Tries::figures).sum()
    }

    /// All agents' tries and those of their baselines, if there are any.
    fn compared(&self) -> Option<Compared> {
        let each = || self.cases().filter_map(TestedCase::compared);
        each().next()?;
        Some(Compared {
            agent: each().map(|it| it.agent).sum(),
            baseline: each().map(|it| it.baseline).sum(),
        })
    }
}

impl TestedCase {
    /// Whether enough tries passed. The baseline does not count.
    pub fn has_passed(&self) -> bool {
        self.tries.passed() >= self.needed()
    }

    /// The number of tries that must pass.
    fn needed(&self) -> usize {
        self.min_pass_rate.needed(self.tries.0.len())
    }

    /// `passed`, `failed`, or how many of the tries passed, and how many must if not all.
    fn result(&self) -> String {
        let (tries, passed, needed) = (self.tries.0.len(), self.tries.passed(), self.needed());
        match (tries, self.has_passed()) {
            (1, true) => "passed".to_owned(),
            (1, false) => "failed".to_owned(),
            _ if needed < tries => format!("{passed} of {tries} tries passed, {needed} required"),
            _ => format!("{passed} of {tries} tries passed"),
        }
    }

    fn compared(&self) -> Option<Compared> {
        Some(Compared {
            agent: self.tries.figures(),
            baseline: self.baseline.as_ref()?.figures(),
        })
    }

    /// Each problem with the first try that had it: the agent's, then the baseline's.
    fn problems(&self) -> Vec<(String, &Problem)> {
        let several = self.tries.0.len() > 1;
        let agent = self.tries.problems().into_iter().map(|(number, problem)| {
            let which = several.then(|| format!("try {number}: "));
            (which.unwrap_or_default(), problem)
        });
        let baseline = self.baseline.iter().flat_map(Tries::problems);
        let baseline = baseline.map(|(number, problem)| {
            let which = several.then(|| format!("baseline, try {number}: "));
            (which.unwrap_or_else(|| "baseline: ".to_owned()), problem)
        });
        agent.chain(baseline).collect()
    }
}

/// The heading of a comparison.
const COMPARED: &str = "With the agent's instructions and without";

/// What a replay proves.
const REPLAYED: &str =
    "Recordings were replayed: this tests wiring, permissions and formats, not what a model would say now.";
