//! Applied fixes.

use serde::Serialize;

use crate::output::report::FixedFile;

#[derive(Serialize)]
pub(super) struct Fixed<'a> {
    path: &'a str,
    rule: &'a str,
    title: &'a str,
    safe: bool,
}

/// By file, in the order of application.
pub(super) fn list(mended: &[FixedFile]) -> Vec<Fixed<'_>> {
    mended.iter().flat_map(of_file).collect()
}

fn of_file(mended: &FixedFile) -> impl Iterator<Item = Fixed<'_>> {
    mended.applied.iter().map(|fix| Fixed {
        path: &mended.path,
        rule: &fix.rule,
        title: &fix.title,
        safe: fix.safe,
    })
}
