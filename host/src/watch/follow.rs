//! One catalog that is followed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Ground;
use crate::catalogs::{Change, ChangeKind};
use crate::types::{Diagnostic, Level};
use crate::{Callsheet, Catalog, Result};

/// The changes in one dialect.
#[derive(Clone, Debug)]
pub struct News {
    /// The dialect.
    pub dialect: String,
    /// The changes of names, sorted by name.
    pub changes: Vec<Change>,
    /// The findings in the files of those names, and new findings anywhere, sorted by path and place.
    pub findings: Vec<Diagnostic>,
}

impl News {
    /// Whether agents of plugins changed.
    pub(super) fn is_of_plugins(&self) -> bool {
        let mut origins = self.changes.iter().map(|change| &change.origin);
        origins.any(|origin| origin.level == Level::Plugin)
    }
}

/// A catalog and its previous state.
pub(super) struct Followed {
    catalog: Catalog,
    known: BTreeSet<Finding>,
}

/// A finding without its place, since lines above it may change.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    path: String,
    rule: String,
    message: String,
}

impl Finding {
    fn of(diagnostic: &Diagnostic) -> Self {
        Self {
            path: diagnostic.primary.place.path.clone(),
            rule: diagnostic.rule.clone(),
            message: diagnostic.message.clone(),
        }
    }
}

impl Followed {
    pub(super) fn open(callsheet: &Callsheet, dialect: &str) -> Result<Self> {
        let mut catalog = callsheet.open(dialect)?;
        let known = catalog.diagnostics()?.iter().map(Finding::of).collect();
        Ok(Self { catalog, known })
    }

    pub(super) fn dialect(&self) -> &str {
        self.catalog.dialect()
    }

    pub(super) fn agents(&mut self) -> Result<usize> {
        Ok(self.catalog.names()?.len())
    }

    /// All agents as new ones; none if there are none.
    pub(super) fn introduce(&mut self) -> Result<Option<News>> {
        let entries = self.catalog.entries(false)?.into_iter();
        let changes = entries
            .filter(|entry| entry.origin.level != Level::BuiltIn)
            .map(|entry| Change {
                name: entry.name,
                kind: ChangeKind::Appeared,
                origin: entry.origin,
            });
        let changes = changes.collect();
        let findings = self.catalog.diagnostics()?;
        Ok(self.news(changes, findings))
    }

    /// The changes since the last call; none if nothing changed.
    pub(super) fn refresh(&mut self) -> Result<Option<News>> {
        let before = self.catalog.counters()?;
        let changes = self.catalog.refresh()?;
        let now = self.catalog.counters()?;
        if changes.is_empty() && (before.files, before.parsed) == (now.files, now.parsed) {
            return Ok(None);
        }
        let changed: BTreeSet<&str> = changes
            .iter()
            .filter_map(|change| change.origin.path.as_deref())
            .collect();
        let mut findings = self.catalog.diagnostics()?;
        let known = findings.iter().map(Finding::of).collect();
        let known = std::mem::replace(&mut self.known, known);
        findings.retain(|finding| {
            changed.contains(&*finding.primary.place.path) || !known.contains(&Finding::of(finding))
        });
        Ok(self.news(changes, findings))
    }

    fn news(&self, changes: Vec<Change>, findings: Vec<Diagnostic>) -> Option<News> {
        let any = !changes.is_empty() || !findings.is_empty();
        any.then(|| News {
            dialect: self.dialect().to_owned(),
            changes,
            findings,
        })
    }

    /// The places of plugins, which manifests name.
    pub(super) fn of_plugins(&mut self, callsheet: &mut Callsheet) -> Result<Vec<Ground>> {
        let visited = self.catalog.visited()?.into_iter();
        let plugins = visited.filter(|visited| visited.location.level == Level::Plugin);
        let grounds = plugins.filter_map(|visited| callsheet.ground(&visited.location.directory, true));
        // One may be a file.
        let folder = |ground: Ground| match ground.path.parent() {
            Some(parent) if ground.path.is_file() => Ground {
                path: parent.to_owned(),
                recursive: false,
                ..ground
            },
            _ => ground,
        };
        Ok(grounds.map(folder).collect())
    }

    /// The directories of link targets.
    pub(super) fn linked(&mut self) -> Result<Vec<Ground>> {
        let mut directories = BTreeSet::new();
        for file in self.catalog.system_paths()? {
            let beside = |file: &Path| file.parent().map(PathBuf::from);
            let real = file.canonicalize().ok().and_then(|real| beside(&real));
            directories.extend(real.filter(|real| beside(&file).as_ref() != Some(real)));
        }
        let ground = |path: PathBuf| Ground {
            top: path.clone(),
            path,
            recursive: false,
        };
        Ok(directories.into_iter().map(ground).collect())
    }
}
