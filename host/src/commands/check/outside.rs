//! Files that are not the project's own: whoever mends one changes what other projects read.

use std::collections::BTreeSet;
use std::path::Path;

use callsheet::fix::{Mended, Which};
use callsheet::output::report::{Checked, Finding};
use callsheet::output::text::clean;

use super::work::Targets;
use crate::commands::context::Context;

/// Says which of the mended files lie outside the project.
pub(super) fn mended(context: &Context, files: &[Mended]) {
    let project = context.options.project.canonicalize();
    let is_inside = |path: &str| {
        let real = Path::new(path).canonicalize();
        let inside = real.ok().zip(project.as_ref().ok());
        inside.is_some_and(|(real, project)| real.starts_with(project))
    };
    for file in files.iter().filter(|file| !is_inside(&file.path)) {
        context.remark(&format!(
            "note: {} lies outside the project: other projects may read it, too",
            clean(&file.path)
        ));
    }
}

/// Says which files of the home directory could be mended, and are only where they are named.
pub(super) fn left(context: &Context, checked: &Checked, targets: &Targets, which: Which) {
    let home = context.options.home.as_ref().map(|home| home.to_string_lossy());
    let home = format!("{}/", home.as_deref().unwrap_or("~").trim_end_matches('/'));
    let can_be_mended = |finding: &&Finding| {
        let mut fixes = finding.diagnostic.fixes.iter();
        fixes.any(|fix| fix.safe || which == Which::All)
    };
    let paths = checked.reported().filter(can_be_mended);
    let paths = paths.map(|finding| finding.diagnostic.primary.place.path.as_str());
    let paths: BTreeSet<&str> = paths
        .filter(|path| path.starts_with(&home) && !targets.contains_key(*path))
        .collect();
    let Some((directory, _)) = paths.first().and_then(|path| path.rsplit_once('/')) else {
        return;
    };
    let files = match paths.len() {
        1 => "1 file in the home directory is".to_owned(),
        number => format!("{number} files in the home directory are"),
    };
    context.remark(&format!(
        "note: {files} mended only by name, such as `callsheet check --fix {}`",
        clean(directory)
    ));
}
