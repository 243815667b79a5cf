//! Paths and the patterns that restrict them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::pattern::wildcard;
use crate::limits::PATH_BYTES;

/// The base of relative paths, and the value of `~`. Both are absolute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places<'a> {
    /// The project.
    pub root: &'a str,
    /// The home directory, if there is one.
    pub home: Option<&'a str>,
}

impl Places<'_> {
    /// The parts of an absolute path without `.` and `..`. None if unknown.
    pub(super) fn resolve(&self, path: &str) -> Option<Vec<String>> {
        // A backslash separates on some systems and not on others.
        if path.len() > PATH_BYTES || path.contains(|c: char| c.is_control() || c == '\\') {
            return None;
        }
        let mut parts: Vec<String> = Vec::new();
        let base = match path.strip_prefix('~') {
            Some("") => self.home?,
            Some(rest) if rest.starts_with('/') => self.home?,
            Some(_) => return None,
            None if path.starts_with('/') => "",
            None => self.root,
        };
        for part in base.split('/').chain(path.trim_start_matches('~').split('/')) {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part.to_owned()),
            }
        }
        Some(parts)
    }

    /// Whether a path is in the project.
    pub(super) fn in_project(&self, path: &str) -> bool {
        let root = self.resolve(self.root);
        let path = self.resolve(path);
        root.zip(path).is_some_and(|(root, path)| path.starts_with(&root))
    }

    /// Whether a path is the project itself.
    pub(super) fn is_root(&self, path: &str) -> bool {
        self.resolve(path)
            .is_some_and(|path| Some(path) == self.resolve(self.root))
    }

    /// Whether a specifier matches a path: `//` starts at the root of the file system, `~/` at home, `/` and anything else with a slash at
    /// the project, and a bare name matches at any depth of it. Everything below a match matches, too.
    pub(super) fn covers(&self, specifier: &str, path: &str) -> bool {
        let Some(path) = self.resolve(path) else {
            return false;
        };
        let (base, pattern) = match specifier {
            _ if specifier.starts_with("//") => (Vec::new(), specifier.trim_start_matches('/')),
            _ if specifier.starts_with("~/") => match self.home.and_then(|home| self.resolve(home)) {
                Some(home) => (home, &specifier[2..]),
                None => return false,
            },
            _ => {
                let rest = specifier.strip_prefix("./").unwrap_or(specifier);
                match self.resolve(self.root) {
                    Some(root) => (root, rest.trim_start_matches('/')),
                    None => return false,
                }
            }
        };
        let Some(below) = path.strip_prefix(base.as_slice()) else {
            return false;
        };
        let mut pattern: Vec<&str> = pattern.split('/').filter(|part| *part != ".").collect();
        if pattern.contains(&"..") || pattern == [""] {
            return false;
        }
        if pattern.last() == Some(&"") {
            pattern.pop();
            pattern.push("**");
        }
        let bare = !specifier.trim_end_matches('/').contains('/');
        if bare {
            pattern.insert(0, "**");
        }
        // `**` at the end matches everything below. Otherwise a match may end before the path does: the rest is below it.
        let lengths = match pattern.pop_if(|last| *last == "**") {
            Some(_) => 0..below.len(),
            None => 1..below.len() + 1,
        };
        lengths.into_iter().any(|length| fits(&pattern, &below[..length]))
    }
}

/// Whether a path, or a folder above it, matches the parts of a pattern.
pub(crate) fn matches(pattern: &[&str], path: &[String]) -> bool {
    (1..=path.len()).any(|length| fits(pattern, &path[..length]))
}

/// Whether the parts match, `**` matching any number of them. It tracks the possible next places in the pattern.
fn fits(pattern: &[&str], parts: &[String]) -> bool {
    let mut at = reachable(pattern, [0].into());
    for part in parts {
        let mut next = Vec::new();
        for place in at {
            match pattern.get(place) {
                Some(&"**") => next.push(place),
                Some(glob) if wildcard(glob, part) => next.push(place + 1),
                _ => {}
            }
        }
        next.dedup();
        at = reachable(pattern, next);
    }
    at.contains(&pattern.len())
}

/// `**` may match nothing.
fn reachable(pattern: &[&str], from: Vec<usize>) -> Vec<usize> {
    let mut all = Vec::new();
    for mut place in from {
        loop {
            if !all.contains(&place) {
                all.push(place);
            }
            if pattern.get(place) != Some(&"**") {
                break;
            }
            place += 1;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifiers_match_paths() {
        let places = Places {
            root: "/home/me/project",
            home: Some("/home/me"),
        };
        let table = [
            ("src/**", "src/a/b.rs", true),
            ("src/**", "./src/../src/a.rs", true),
            ("src/**", "/home/me/project/src/a.rs", true),
            ("src/**", "src/../secret", false),
            ("src/**", "src", false),
            ("src/**", "srcs/a", false),
            ("src/**", "lib/src/a", false),
            ("src/**", "../project/src/a", true),
            ("src/**", "src/../../../../etc/passwd", false),
            ("src/**", "src\\..\\secret", false),
            ("/docs/*.md", "docs/a.md", true),
            ("/docs/*.md", "docs/a/b.md", false),
            ("/docs/*.md", "/docs/a.md", false),
            ("//docs/*.md", "/docs/a.md", true),
            ("~/notes/**", "~/notes/a", true),
            ("~/notes/**", "/home/me/notes/a", true),
            ("~/notes/**", "notes/a", false),
            ("~/notes/**", "~root/notes/a", false),
            ("*.md", "a/b/c.md", true),
            ("*.md", "../c.md", false),
            (".env", "deep/.env", true),
            ("docs", "docs/a/b", true),
            ("docs/", "docs/a/b", true),
            ("docs/", "docs", false),
            ("**/test/*.rs", "a/b/test/c.rs", true),
            ("**/test/*.rs", "test/c.rs", true),
            ("a/**/z", "a/z", true),
            ("a/**/z", "a/b/c/z", true),
            ("../**", "../x", false),
            ("**", "x", true),
            ("**", "../x", false),
            ("", "x", false),
        ];
        for (specifier, path, covered) in table {
            assert_eq!(places.covers(specifier, path), covered, "{specifier} {path}");
        }
    }
}
