//! Finds case files.

use std::io;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

/// The folder of case files.
pub(super) const FOLDER: &str = "evals";

/// The name of a case file.
const FILE: &str = "evals.json";

/// The most directory levels that are searched.
const DEEPEST: usize = 32;

/// The files `evals/evals.json` in a directory, sorted, without those that git ignores.
///
/// Fails if the directory cannot be read.
pub fn find(directory: &Path) -> io::Result<Vec<PathBuf>> {
    std::fs::read_dir(directory)?;
    let entries = WalkBuilder::new(directory)
        .hidden(false)
        .require_git(false)
        .max_depth(Some(DEEPEST))
        .filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != "node_modules")
        .sort_by_file_name(|a, b| a.cmp(b))
        .build();
    // Entries that vanish or cannot be read are skipped.
    let files = entries.flatten().map(|entry| entry.path().to_owned());
    let is_case_file = |path: &PathBuf| {
        let folder = path.parent().and_then(Path::file_name);
        path.file_name().is_some_and(|name| name == FILE) && folder.is_some_and(|name| name == FOLDER)
    };
    let shown = |path: PathBuf| path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
    Ok(files.filter(is_case_file).map(shown).collect())
}
