//! The outcome of a definition, and the findings that lead to it.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Severity};
use crate::dialect::Verdict;

/// The outcome of a file in a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It loads.
    Loads,
    /// It is listed, but cannot be called, for this reason.
    Withheld(String),
    /// It does not load, for this reason.
    Dropped(String),
    /// It is not an agent, for this reason.
    NotAnAgent(String),
}

impl Outcome {
    /// Whether the dialect has the agent, even if only listed.
    pub fn loads(&self) -> bool {
        matches!(self, Self::Loads | Self::Withheld(_))
    }

    /// Whether the file is an agent, even a broken one.
    pub fn is_agent(&self) -> bool {
        !matches!(self, Self::NotAnAgent(_))
    }
}

impl From<Verdict> for Severity {
    /// The severity of a finding with this consequence.
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Dropped | Verdict::Withheld => Self::Error,
            Verdict::Ignored | Verdict::Fine => Self::Warning,
        }
    }
}

/// Findings, and the most severe verdict among their consequences.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    pub(crate) findings: Vec<Finding>,
    verdict: Option<(Verdict, String)>,
}

impl Judgement {
    pub(crate) fn find(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Keeps the most severe verdict, and the first reason among equals.
    pub(crate) fn judge(&mut self, verdict: Verdict, reason: &str) {
        if self.verdict.as_ref().is_none_or(|(worst, _)| verdict > *worst) {
            self.verdict = Some((verdict, reason.to_owned()));
        }
    }

    /// Whether something is ignored so far, and nothing is worse.
    pub(crate) fn ignores(&self) -> bool {
        matches!(self.verdict, Some((Verdict::Ignored, _)))
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match &self.verdict {
            Some((Verdict::Dropped, reason)) => Outcome::Dropped(reason.clone()),
            Some((Verdict::Withheld, reason)) => Outcome::Withheld(reason.clone()),
            _ => Outcome::Loads,
        }
    }
}
