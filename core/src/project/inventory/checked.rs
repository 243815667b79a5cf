//! What the check of a project found, by file.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::Severity;
use crate::dialect::Level;
use crate::project::Report;

/// The results of a check.
pub(super) struct Checked {
    places: BTreeMap<String, usize>,
    /// The first is that of every other file.
    files: Vec<File>,
}

/// One file.
pub(super) struct File {
    pub(super) level: Level,
    pub(super) errors: usize,
    pub(super) warnings: usize,
}

impl File {
    fn new(level: Level) -> Self {
        Self {
            level,
            errors: 0,
            warnings: 0,
        }
    }
}

impl Checked {
    pub(super) fn new(report: &Report) -> Self {
        let mut checked = Self {
            places: BTreeMap::new(),
            files: vec![File::new(Level::Project)],
        };
        for file in &report.files {
            checked.places.insert(file.path.clone(), checked.files.len());
            checked.files.push(File::new(file.level));
        }
        for finding in &report.findings {
            let found = &finding.diagnostic;
            let Some(at) = checked.places.get(&found.primary.place.path) else {
                continue;
            };
            let file = &mut checked.files[*at];
            match found.severity {
                Severity::Error => file.errors += 1,
                Severity::Warning => file.warnings += 1,
                Severity::Note => {}
            }
        }
        checked
    }

    pub(super) fn of(&self, path: Option<&str>) -> &File {
        let at = path.and_then(|path| self.places.get(path));
        &self.files[at.copied().unwrap_or_default()]
    }
}
