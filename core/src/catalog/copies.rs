//! Copies of agents in the directories of other tools.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::Catalog;
use super::slots::copy_directories;
use crate::diagnostic::{Diagnostic, Label};
use crate::dialect::{Dialect, Level};
use crate::document;
use crate::files::{FileKind, join};
use crate::mentions::words_of;
use crate::rules::drifted_copy;

impl Catalog {
    /// Agents of the project whose copies have different content.
    pub(super) fn drifted_copies(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (other, directory) in copy_directories(&self.dialects, &self.dialect, &self.options) {
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
