//! Files outside the project: changing one changes what other projects read.

use std::collections::BTreeSet;

use callsheet::fix::{FixedFile, Which};
use callsheet::output::report::Checked;
use callsheet::output::text::clean;

use crate::commands::context::Context;

/// Reports which of the fixed files are outside the project.
pub(super) fn fixed(context: &Context, files: &[FixedFile]) {
    let project = context.options.project.canonicalize();
    let is_inside = |path: &str| {
        let real = std::path::Path::new(path).canonicalize();
        let inside = real.ok().zip(project.as_ref().ok());
        inside.is_some_and(|(real, project)| real.starts_with(project))
    };
    for file in files.iter().filter(|file| !is_inside(&file.path)) {
        context.remark(&format!(
            "note: {} is outside the project: other projects may read it, too",
            clean(&file.path)
        ));
    }
}

/// Reports which files outside the project could be fixed, if they are named.
pub(super) fn left(context: &Context, checked: &Checked, which: Which) {
    let can_be_fixed = |finding: &&callsheet::output::report::Finding| {
        let mut fixes = finding.diagnostic.fixes.iter();
        !finding.in_project && fixes.any(|fix| fix.safe || which == Which::All)
    };
    let found = checked.reported().filter(can_be_fixed);
    let paths: BTreeSet<&str> = found
        .map(|finding| &*finding.diagnostic.primary.place.path)
        .collect();
    let Some((directory, _)) = paths.first().and_then(|path| path.rsplit_once('/')) else {
        return;
    };
    let files = match paths.len() {
        1 => "1 file outside the project is".to_owned(),
        number => format!("{number} files outside the project are"),
    };
    context.remark(&format!(
        "note: {files} only fixed by name, such as `callsheet check --fix {}`",
        clean(directory)
    ));
}
