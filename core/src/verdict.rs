//! The outcome of a definition, and the findings that lead to it.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Severity};
use crate::dialect::{Kind, Verdict};

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

impl Verdict {
    /// The severity of a finding with this consequence.
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::Dropped | Self::Withheld => Severity::Error,
            Self::Ignored | Self::Fine => Severity::Warning,
        }
    }

    /// The consequence in words.
    pub(crate) fn consequence(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Dropped, Kind::Agent) => "the agent is not loaded",
            (Self::Dropped, Kind::Skill) => "the skill is not loaded",
            (Self::Dropped, Kind::Command) => "the command is not loaded",
            (Self::Withheld, _) => "the agent is listed, but cannot be called",
            (Self::Ignored, _) => "it has no effect",
            (Self::Fine, _) => "",
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

    pub(crate) fn outcome(&self) -> Outcome {
        match &self.verdict {
            Some((Verdict::Dropped, reason)) => Outcome::Dropped(reason.clone()),
            Some((Verdict::Withheld, reason)) => Outcome::Withheld(reason.clone()),
            _ => Outcome::Loads,
        }
    }
}
