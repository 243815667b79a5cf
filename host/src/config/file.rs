//! The schema of the file.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::build::WrittenBuild;
use super::error::Problem;
use super::models::{Aliases, Prices, Providers};
use super::run::WrittenRun;
use super::servers::WrittenMcp;
use crate::types::Severity;

/// The names that a file may use.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Rules.
    pub rules: Vec<String>,
    /// Dialects and their releases.
    pub dialects: Vec<String>,
}

/// The severity of a rule's findings.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// They are not reported.
    Off,
    /// Worth knowing.
    Note,
    /// Wrong, and reported by the exit status.
    Warning,
    /// Wrong, and must be fixed.
    Error,
}

impl Level {
    /// The severity; none if findings are not reported.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// Rules by name.
pub(super) type Rules = BTreeMap<Spanned<String>, Level>;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The JSON Schema for editors; ignored here.
    #[serde(rename = "$schema")]
    _schema: Option<String>,
    pub(super) dialect: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) targets: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) exclude: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) rules: Rules,
    #[serde(default)]
    pub(super) overrides: Vec<Override>,
    #[serde(default)]
    pub(super) models: Aliases,
    #[serde(default)]
    pub(super) providers: Providers,
    #[serde(default)]
    pub(super) prices: Prices,
    #[serde(default)]
    pub(super) run: WrittenRun,
    #[serde(default)]
    pub(super) mcp: WrittenMcp,
    pub(super) build: Option<WrittenBuild>,
}

/// Rules for some files only.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Override {
    pub(super) paths: Vec<Spanned<String>>,
    pub(super) rules: Rules,
}

impl File {
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        Ok(toml::from_str(text)?)
    }

    /// Checks its names against the known ones.
    pub(super) fn check(&self, known: &Known) -> Result<(), Problem> {
        let build = self.build.iter();
        let built = build.flat_map(|build| build.to.iter().chain(&build.dialect));
        for name in self.dialect.iter().chain(&self.targets).chain(built) {
            demand(name, "dialect", &known.dialects)?;
        }
        let overridden = self.overrides.iter().map(|one| &one.rules);
        for rule in overridden.chain([&self.rules]).flat_map(BTreeMap::keys) {
            demand(rule, "rule", &known.rules)?;
        }
        Ok(())
    }
}

fn demand(name: &Spanned<String>, what: &str, known: &[String]) -> Result<(), Problem> {
    if known.contains(name.as_ref()) {
        return Ok(());
    }
    let known = known.iter().map(String::as_str);
    Err(Problem::unknown(name.span(), what, name.as_ref(), known))
}
