//! Paths as the host names them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::files::join;

/// The relative path below a directory, if it is there.
pub(crate) fn below<'p>(directory: &str, path: &'p str) -> Option<&'p str> {
    match directory {
        "" | "." => (!path.starts_with('/')).then(|| path.strip_prefix("./").unwrap_or(path)),
        "/" => path.strip_prefix('/'),
        _ => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}

/// Whether a path is this place or below it.
pub(crate) fn is_within(path: &str, place: &str) -> bool {
    let is_out = |rest: &str| rest == ".." || rest.starts_with("../");
    path == place || below(place, path).is_some_and(|rest| !is_out(rest))
}

/// A path and the directories above it, with `.` last.
pub(crate) fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    let all = core::iter::successors(Some(path), |path| Some(path.rsplit_once('/')?.0));
    all.chain(["."])
}

/// The same path without empty parts, `.`, and `..` after a name.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => ["/", &joined].concat(),
        (false, true) => ".".to_string(),
        (false, false) => joined,
    }
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// What is before the last part of a path; empty if nothing is.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The directory of a file; `.` if the path does not say.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(directory, _)| directory)
}

/// The name of the folder that a file is in; empty if the path does not say.
pub(crate) fn folder(path: &str) -> &str {
    file_name(parent(path))
}

/// The normal path below a directory, which keeps the host's name. None if it leads out.
pub(crate) fn inside(directory: &str, path: &str) -> Option<String> {
    let rest = normal(path);
    match &*rest {
        "." => Some(directory.to_string()),
        ".." => None,
        _ if rest.starts_with("../") || rest.starts_with('/') => None,
        _ => Some(join(directory, &rest)),
    }
}

/// Whether a file is not for prompts: hidden ones, as `.env`, and those of git often have keys.
pub(crate) fn may_have_keys(path: &str) -> bool {
    let mut folders = parent(path).split('/');
    file_name(path).starts_with('.') || folders.any(|folder| folder.eq_ignore_ascii_case(".git"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_within_places() {
        for (path, place, within) in [
            ("a/b", "a", true),
            ("a", "a", true),
            ("ab", "a", false),
            ("a", ".", true),
            ("../a", ".", false),
            ("..a", ".", true),
            ("../a", "..", true),
            ("/a", ".", false),
            ("/a", "/", true),
        ] {
            assert_eq!(is_within(path, place), within, "{path} in {place}");
        }
    }

    #[test]
    fn paths_inside_of_a_directory_keep_its_name() {
        for (directory, path, expected) in [
            ("x/..", "a/../b/./c", Some("x/../b/c")),
            ("..", ".", Some("..")),
            (".", "a", Some("a")),
            ("x/..", "a/../..", None),
            ("x", "../x/a", None),
            ("x", "/x", None),
        ] {
            assert_eq!(
                inside(directory, path).as_deref(),
                expected,
                "{path} in {directory}"
            );
        }
    }

    #[test]
    fn paths_are_normalized() {
        for (path, expected) in [
            ("./a//b/", "a/b"),
            ("a/../b", "b"),
            ("../../a", "../../a"),
            ("a/..", "."),
            ("/a/../..", "/.."),
            ("", "."),
        ] {
            assert_eq!(normal(path), expected, "{path}");
        }
    }
}
