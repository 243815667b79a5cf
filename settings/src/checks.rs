//! The settings of one file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use callsheet_contract::projects::Build;
use callsheet_report::report::{Finding, Suppression};
use globset::GlobSet;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::error::Problem;
use super::patterns::patterns;
use super::severities::Severities;
use super::table::{Known, Level, Table};

/// The keys of a file, also those of its other tables.
const KEYS: [&str; 12] = [
    "$schema",
    "dialect",
    "targets",
    "exclude",
    "rules",
    "overrides",
    "models",
    "providers",
    "prices",
    "run",
    "mcp",
    "build",
];

/// The settings about findings; without a file, the defaults. Paths are those from the directory of the file.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// The default dialect.
    pub dialect: Option<String>,
    /// The tools that the files are written for: a dialect, or one of its releases as in `kode@2.0.2`. Sorted.
    pub targets: Vec<String>,
    /// The agents that `build` compiles, and to what.
    pub build: Option<Build>,
    severities: Severities,
    /// Files that are not checked.
    exclude: GlobSet,
}

impl Checks {
    /// Reads the text of a file, without its other tables.
    ///
    /// Fails if it is not valid TOML, or contains unknown names.
    pub fn parse(text: &str, known: &Known) -> Result<Self, Problem> {
        let keys: BTreeMap<Spanned<String>, IgnoredAny> = toml::from_str(text)?;
        let is_unknown = |key: &&Spanned<String>| !KEYS.contains(&key.as_ref().as_str());
        if let Some(key) = keys.keys().find(is_unknown) {
            return Err(Problem::unknown(
                key.span(),
                "key",
                key.as_ref(),
                KEYS.into_iter(),
            ));
        }
        Self::new(toml::from_str(text)?, known)
    }

    /// From the tables of a file.
    ///
    /// Fails if they contain unknown names or invalid patterns.
    pub fn new(table: Table, known: &Known) -> Result<Self, Problem> {
        table.check(known)?;
        let severities = Severities::new(&table)?;
        let dialect = table.dialect.map(Spanned::into_inner);
        let exclude = patterns(&table.exclude)?;
        let targets = table.targets.into_iter().map(Spanned::into_inner);
        Ok(Self {
            severities,
            exclude,
            build: table
                .build
                .map(|build| build.read(dialect.as_ref()))
                .transpose()?,
            dialect,
            // Each once.
            targets: targets.collect::<BTreeSet<_>>().into_iter().collect(),
        })
    }

    /// The severity of this rule in a file, if any. `below` gives its path, if it is in the directory.
    pub fn level(&self, rule: &str, below: impl FnOnce() -> Option<PathBuf>) -> Option<Level> {
        self.severities.level(rule, below)
    }

    /// Whether `exclude` covers a file.
    #[must_use]
    pub fn excludes(&self, below: &Path) -> bool {
        self.exclude.is_match(below)
    }

    /// Applies the severity of its rule to a finding. `below` as for [`level`](Self::level).
    pub fn apply(&self, finding: &mut Finding, below: impl FnOnce() -> Option<PathBuf>) {
        let diagnostic = &mut finding.diagnostic;
        let Some(level) = self.level(&diagnostic.rule, below) else {
            return;
        };
        match level.severity() {
            Some(severity) => diagnostic.severity = severity,
            None => finding.suppressed = finding.suppressed.or(Some(Suppression::Configuration)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checks, Known};

    #[test]
    fn other_tables_are_known_and_misspelt_ones_are_not() {
        let parse = |text| Checks::parse(text, &Known::default()).map(drop);
        assert!(parse("[run]\nallow = []\n[mcp.servers.a]\nurl = 1\n").is_ok());
        let problem = parse("[rulez]\n").expect_err("it is misspelt");
        let problem = format!("{problem:?}");
        assert!(
            problem.contains("unknown key `rulez`; did you mean `rules`?"),
            "{problem}"
        );
    }
}
