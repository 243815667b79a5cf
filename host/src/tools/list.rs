//! Lists a directory.

use std::ops::ControlFlow;

use super::apart::Stop;
use super::arguments::Arguments;
use super::limits::NAMES;
use super::project::{Project, shown};
use super::text::Lines;
use super::walk::Walk;

pub(super) fn list(project: &Project, arguments: &Arguments, stop: &Stop) -> Result<String, String> {
    let below = project.locate(arguments.optional_path().unwrap_or("."))?;
    let all = project.directory(&below)?.entries().map(Iterator::count);
    let all = all.map_err(|error| format!("`{}` cannot be listed: {error}", shown(&below)))?;
    let mut lines = Lines::new(NAMES);
    let (mut seen, mut full) = (0, false);
    let walk = Walk {
        project,
        from: &below,
        hidden: false,
        depth: Some(1),
        stop,
    };
    walk.go(|_, entry| {
        seen += 1;
        let name = entry.file_name().to_string_lossy();
        let mark = match entry.file_type() {
            Some(kind) if kind.is_dir() => "/",
            Some(kind) if kind.is_symlink() => "@",
            _ => "",
        };
        full |= !lines.push(&format!("{name}{mark}"));
        ControlFlow::Continue(())
    });
    let notice = match (full, all.saturating_sub(seen)) {
        (true, _) => Some(format!("{seen} entries; not all are shown")),
        (false, 0) => None,
        (false, more) => Some(format!("{more} hidden or ignored")),
    };
    Ok(lines.finish("The directory is empty", notice.as_deref()))
}
