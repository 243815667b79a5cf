//! Goes through a directory as ripgrep does: without what is hidden or ignored, and in order.

use std::ops::ControlFlow;
use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

use super::apart::Stop;
use super::limits::WALKED;
use super::project::Project;

/// How to go.
pub(super) struct Walk<'a> {
    pub(super) project: &'a Project,
    /// Where to begin, from the project.
    pub(super) from: &'a Path,
    /// Whether hidden entries are looked at, too.
    pub(super) hidden: bool,
    /// How deep; none for any depth.
    pub(super) depth: Option<usize>,
    pub(super) stop: &'a Stop,
}

impl Walk<'_> {
    /// Calls `each` for what is there, with its path from the project. Says why if it did not see everything.
    pub(super) fn go(
        &self,
        mut each: impl FnMut(&Path, &DirEntry) -> ControlFlow<()>,
    ) -> Option<&'static str> {
        let entries = WalkBuilder::new(self.project.path().join(self.from))
            .hidden(!self.hidden)
            .require_git(false)
            .max_depth(self.depth)
            .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git")
            .sort_by_file_name(|a, b| a.cmp(b))
            .build();
        // What vanishes or cannot be read meanwhile is passed over.
        for (entry, seen) in entries.flatten().zip(0..) {
            if self.stop.is_set() {
                return Some("given up");
            }
            if seen > WALKED {
                return Some("there are too many files here to look at all; name a directory");
            }
            let Ok(below) = entry.path().strip_prefix(self.project.path()) else {
                continue;
            };
            if entry.depth() > 0 && each(below, &entry).is_break() {
                break;
            }
        }
        None
    }
}

/// Whether it is a file, and no link to one.
pub(super) fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}
