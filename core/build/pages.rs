//! The page of a rule is the documentation of its file; the first line is the summary.

use std::fs;
use std::path::Path;

use crate::{files, text};

/// Writes the pages of the rules in one folder to another.
pub(crate) fn write(rules: &Path, folder: &Path) {
    fs::create_dir_all(folder).expect("cargo made the folder above");
    for path in files(rules) {
        page(&path, folder);
    }
}

fn page(rule: &Path, folder: &Path) {
    let stem = rule.file_stem().and_then(|stem| stem.to_str());
    let name = stem.expect("our own files have plain names").replace('_', "-");
    let text = text(rule);
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let page: String = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
        .collect();
    let summary = page.lines().next().unwrap_or_default();
    fs::write(folder.join(format!("{name}.txt")), summary).expect("the folder was just made");
    fs::write(folder.join(format!("{name}.md")), page).expect("the folder was just made");
}
