//! The schema of the tables.

use std::collections::BTreeMap;

use callsheet_contract::types::Severity;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::build::WrittenBuild;
use super::error::Problem;

/// The names that a file may use.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Rules.
    pub rules: Vec<String>,
    /// Dialects and their releases.
    pub dialects: Vec<String>,
}

/// The severity of a rule's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl<'de> Deserialize<'de> for Level {
    // An enumeration would also be read from a table.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let word = String::deserialize(from)?;
        match &*word {
            "off" => Ok(Self::Off),
            "note" => Ok(Self::Note),
            "warning" => Ok(Self::Warning),
            "error" => Ok(Self::Error),
            _ => Err(D::Error::unknown_variant(
                &word,
                &["off", "note", "warning", "error"],
            )),
        }
    }
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
pub type Rules = BTreeMap<Spanned<String>, Level>;

/// The tables, as written. Others are ignored.
#[derive(Debug, Default, Deserialize)]
pub struct Table {
    /// The default dialect.
    pub dialect: Option<Spanned<String>>,
    /// Dialects and releases.
    #[serde(default)]
    pub targets: Vec<Spanned<String>>,
    /// Patterns of files.
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    /// For all files.
    #[serde(default)]
    pub rules: Rules,
    /// The last one that matches a file wins.
    #[serde(default)]
    pub overrides: Vec<Override>,
    /// What is compiled.
    pub build: Option<WrittenBuild>,
}

/// Rules for some files only.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct Override {
    /// Patterns of these files.
    pub paths: Vec<Spanned<String>>,
    /// Their severities.
    pub rules: Rules,
}

impl Table {
    /// Checks the names against the known ones.
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
