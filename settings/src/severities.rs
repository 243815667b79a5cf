//! The severity of a rule in a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use globset::GlobSet;

use super::error::Problem;
use super::patterns::patterns;
use super::table::{Level, Rules, Table};

/// Severities by rule, and by file where the configuration has overrides.
#[derive(Clone, Debug, Default)]
pub(super) struct Severities {
    everywhere: BTreeMap<String, Level>,
    /// The last match wins.
    overrides: Vec<(GlobSet, BTreeMap<String, Level>)>,
}

impl Severities {
    pub(super) fn new(table: &Table) -> Result<Self, Problem> {
        let mut overrides = Vec::new();
        for one in &table.overrides {
            overrides.push((patterns(&one.paths)?, levels(&one.rules)));
        }
        Ok(Self {
            everywhere: levels(&table.rules),
            overrides,
        })
    }

    /// `below` gives the file's path from the configuration's directory, if it is in it.
    pub(super) fn level(&self, rule: &str, below: impl FnOnce() -> Option<PathBuf>) -> Option<Level> {
        let mut named = self
            .overrides
            .iter()
            .rev()
            .filter(|(_, rules)| rules.contains_key(rule))
            .peekable();
        let path = named.peek().and_then(|_| below());
        let there = path.and_then(|path| named.find(|(patterns, _)| patterns.is_match(&path)));
        let rules = there.map_or(&self.everywhere, |(_, rules)| rules);
        rules.get(rule).copied()
    }
}

fn levels(rules: &Rules) -> BTreeMap<String, Level> {
    let rules = rules.iter();
    rules
        .map(|(rule, level)| (rule.as_ref().clone(), *level))
        .collect()
}
