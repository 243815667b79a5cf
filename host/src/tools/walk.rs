//! Walks a directory like ripgrep: without hidden or ignored entries, in order.

use std::ops::ControlFlow;
use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

use super::apart::Stop;
use super::limits::WALKED;
use super::project::Project;

/// The options of a walk.
pub(super) struct Walk<'a> {
    pub(super) project: &'a Project,
    /// The start, relative to the project.
    pub(super) from: &'a Path,
    /// Whether to include hidden entries.
    pub(super) hidden: bool,
    /// The maximum depth; none for any.
    pub(super) depth: Option<usize>,
    pub(super) stop: &'a Stop,
}

impl Walk<'_> {
    /// Calls `each` for each entry, with its path relative to the project. Returns why the walk is incomplete, if it is.
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
        // Entries that vanish or cannot be read are skipped.
        for (entry, seen) in entries.flatten().zip(0..) {
            if self.stop.is_set() {
                return Some("it was cancelled");
            }
            if seen > WALKED {
                return Some("there are too many files here to search all; name a directory");
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

/// Whether it is a file, not a link to one.
pub(super) fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}
