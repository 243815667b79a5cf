//! Applied fixes.

use serde::Serialize;

use crate::report::FixedFile;

#[derive(Serialize)]
pub(super) struct Fixed<'a> {
    path: &'a str,
    rule: &'a str,
    title: &'a str,
    safe: bool,
}

/// By file, in the order of application.
pub(super) fn list(files: &[FixedFile]) -> Vec<Fixed<'_>> {
    files.iter().flat_map(of_file).collect()
}

fn of_file(file: &FixedFile) -> impl Iterator<Item = Fixed<'_>> {
    file.applied.iter().map(|fix| Fixed {
        path: &file.path,
        rule: &fix.rule,
        title: &fix.title,
        safe: fix.safe,
    })
}
