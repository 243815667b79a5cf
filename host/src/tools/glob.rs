//! Finds files by their names.

use std::ops::ControlFlow;
use std::path::Path;

use globset::{Glob, GlobBuilder, GlobMatcher};

use super::apart::Stop;
use super::arguments::Arguments;
use super::limits::{BRACES, NAMES};
use super::project::{Project, shown};
use super::text::Lines;
use super::walk::{Walk, is_file};

pub(super) fn glob(project: &Project, arguments: &Arguments, stop: &Stop) -> Result<String, String> {
    let from = project.locate(arguments.optional_path().unwrap_or("."))?;
    project.directory(&from)?;
    let pattern = arguments.demand(&["pattern", "glob_pattern", "query"])?;
    let matcher = matcher(pattern)?;
    let mut lines = Lines::new(NAMES);
    let mut full = None;
    let walk = Walk {
        project,
        from: &from,
        hidden: names_hidden(pattern),
        depth: None,
        stop,
    };
    let cut = walk.go(|below, entry| {
        let inside = below.strip_prefix(&from).unwrap_or(below);
        if is_file(entry) && matcher.is_match(inside) && !lines.push(&shown(below)) {
            full = Some("there are more; narrow the pattern");
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    Ok(lines.finish("No files found", full.or(cut)))
}

/// A pattern of paths: `*` stays within a directory, `**` does not.
pub(super) fn matcher(pattern: &str) -> Result<GlobMatcher, String> {
    let leaves = Path::new(pattern).is_absolute() || pattern.split(['/', '\\']).any(|part| part == "..");
    if leaves || pattern.starts_with('~') {
        return Err(format!(
            "`{pattern}` leads out of `path`: a pattern is relative to it"
        ));
    }
    if pattern.matches('{').count() > BRACES {
        return Err(format!("the pattern has more than {BRACES} braces"));
    }
    let glob: Result<Glob, _> = GlobBuilder::new(pattern.trim_start_matches("./"))
        .literal_separator(true)
        .build();
    let glob = glob.map_err(|error| format!("`{pattern}` is not a path pattern: {}", error.kind()))?;
    Ok(glob.compile_matcher())
}

/// Whether a pattern includes names with a leading dot.
pub(super) fn names_hidden(pattern: &str) -> bool {
    pattern
        .split('/')
        .any(|part| part.starts_with('.') && !matches!(part, "." | ".."))
}
