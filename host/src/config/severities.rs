//! The severity of a rule in a file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toml::Spanned;

use super::Level;
use super::error::Problem;
use super::file::{File, Override, Rules};
use crate::Place;

/// Severities by rule, and by file where overrides apply.
#[derive(Clone, Debug, Default)]
pub(super) struct Severities {
    everywhere: BTreeMap<String, Level>,
    /// Later ones win.
    overrides: Vec<(GlobSet, BTreeMap<String, Level>)>,
    /// The base of the patterns.
    directory: PathBuf,
    home: Option<Place>,
    /// The last path: findings come file by file, and locating a file needs system calls.
    last: RefCell<(String, Option<PathBuf>)>,
}

impl Severities {
    pub(super) fn new(file: &File, directory: PathBuf, home: Option<Place>) -> Result<Self, Problem> {
        let mut overrides = Vec::new();
        for one in &file.overrides {
            overrides.push((patterns(one)?, levels(&one.rules)));
        }
        Ok(Self {
            everywhere: levels(&file.rules),
            overrides,
            directory,
            home,
            last: RefCell::default(),
        })
    }

    pub(super) fn level(&self, rule: &str, path: &str) -> Option<Level> {
        let mut named = self
            .overrides
            .iter()
            .rev()
            .filter(|(_, rules)| rules.contains_key(rule));
        let there = named.find(|(patterns, _)| self.below(path).is_some_and(|path| patterns.is_match(path)));
        let rules = there.map_or(&self.everywhere, |(_, rules)| rules);
        rules.get(rule).copied()
    }

    /// The path relative to the configuration's directory, if the file is below it, following links.
    fn below(&self, path: &str) -> Option<PathBuf> {
        let mut last = self.last.borrow_mut();
        if last.0 != path {
            *last = (path.to_owned(), self.find_below(path));
        }
        last.1.clone()
    }

    fn find_below(&self, path: &str) -> Option<PathBuf> {
        let home = self.home.as_ref();
        let at_home = home.and_then(|home| Some(home.path.join(below_name(path, &home.name)?)));
        let path = at_home.unwrap_or_else(|| PathBuf::from(path));
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new(".")).canonicalize().ok()?;
        let real = directory.join(path.file_name()?);
        real.strip_prefix(&self.directory).ok().map(Path::to_owned)
    }
}

fn below_name<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    path.strip_prefix(name)?.strip_prefix('/')
}

fn levels(rules: &Rules) -> BTreeMap<String, Level> {
    let rules = rules.iter();
    rules
        .map(|(rule, level)| (rule.as_ref().clone(), *level))
        .collect()
}

/// A pattern that matches a directory matches everything below it.
fn patterns(one: &Override) -> Result<GlobSet, Problem> {
    let mut set = GlobSetBuilder::new();
    for pattern in &one.paths {
        let written = pattern.as_ref().trim_end_matches('/');
        for text in [written.to_owned(), format!("{written}/**")] {
            let glob = GlobBuilder::new(&text).literal_separator(true).build();
            set.add(glob.map_err(|error| bad_pattern(pattern, &error))?);
        }
    }
    let whole = one.paths.first().map_or(0..0, Spanned::span);
    set.build()
        .map_err(|error| Problem::new(whole, error.to_string()))
}

fn bad_pattern(pattern: &Spanned<String>, error: &globset::Error) -> Problem {
    let message = format!("`{}` is not a path pattern: {}", pattern.as_ref(), error.kind());
    Problem::new(pattern.span(), message)
}
