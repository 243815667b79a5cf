//! Copies of agents in the directories of other tools.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Catalog, Options};
use crate::diagnostic::{Diagnostic, Label};
use crate::dialect::{Dialect, Dialects, Level};
use crate::document;
use crate::files::{FileKind, join};
use crate::mentions::words_of;
use crate::rules::drifted_copy;

/// The directories of other dialects where copies may be. Each pair of dialects is compared from one side only, and not at all if one
/// reads the other's directory: there the copy is reported as shadowed.
pub(super) fn directories(
    dialects: &Dialects,
    dialect: &Dialect,
    options: &Options,
) -> Vec<(Rc<Dialect>, String)> {
    let mut directories = Vec::new();
    for other in dialects
        .iter()
        .filter(|other| options.check && other.id > dialect.id)
    {
        if !reads_from(dialect, other) && !reads_from(other, dialect) {
            let own = own(other).map(|directory| (Rc::clone(other), join(&options.project, directory)));
            directories.extend(own);
        }
    }
    directories
}

/// The directories in a project that are a dialect's own.
fn own(dialect: &Dialect) -> impl Iterator<Item = &str> {
    let sources = dialect.sources.iter();
    let own = sources
        .filter(|source| source.owned && source.level == Level::Project && source.directory.starts_with('.'));
    own.map(|source| &*source.directory)
}

fn reads_from(dialect: &Dialect, other: &Dialect) -> bool {
    own(other).any(|directory| dialect.sources.iter().any(|source| source.directory == directory))
}

impl Catalog {
    /// Agents of the project whose copies have different content.
    pub(super) fn drifted_copies(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (other, directory) in directories(&self.dialects, &self.dialect, &self.options) {
            for entry in self.files.list(&directory).unwrap_or_default() {
                if entry.kind == FileKind::File && other.reads(&entry.name) {
                    found.extend(self.drifted(&other, &join(&directory, &entry.name)));
                }
            }
        }
        found
    }

    fn drifted(&self, other: &Dialect, path: &str) -> Option<Diagnostic> {
        let bytes = self.files.read(path).ok()?;
        let copy = document::read(path, &bytes, None, other, &self.dialects);
        let name = &copy.definition.name;
        let winner = self.ranking.winner(&self.items, name)?;
        let item = &self.items[winner];
        let slot = &self.slots[item.slot];
        let is_copy = copy.outcome.loads() && slot.owned && slot.level == Level::Project;
        if !is_copy || item.mentions.words == words_of(&copy.definition) {
            return None;
        }
        let message = format!("`{name}` differs in {path}");
        let mut diagnostic = Diagnostic::new(&drifted_copy::RULE, self.place(winner)?, message);
        diagnostic.primary.text = format!(
            "{} and {} have different agents of this name",
            self.dialect.id, other.id
        );
        diagnostic.related.push(Label {
            place: copy.anchor.in_file(path),
            text: "the other one".to_string(),
        });
        Some(diagnostic)
    }
}
