//! Patterns of files, and whether a project has any that match.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::files::{FileKind, Files, join};
use crate::limits::{ALTERNATIVES, COMPARISONS, DIRECTORY_DEPTH, LINKS, PATTERN_BYTES, SOURCE_FILES};
use crate::permission::matches;
use crate::places::below;
use crate::span::Span;
use crate::yaml::{Kind, Node};

/// Folders of version control, dependencies and build results, without agents of the project.
pub(super) const PASSED_OVER: &[&str] = &[
    ".git",
    ".hg",
    ".jj",
    ".svn",
    ".venv",
    "__pycache__",
    "node_modules",
    "target",
    "vendor",
];

/// The files of a project, listed when the first pattern asks for them.
pub(super) struct Tree<'a> {
    files: &'a dyn Files,
    top: &'a str,
    /// The parts of the paths below the project; none if they are not known.
    paths: Option<Option<Vec<Vec<String>>>>,
    /// How many comparisons are left.
    left: usize,
}

impl<'a> Tree<'a> {
    pub(super) fn new(files: &'a dyn Files, top: &'a str) -> Self {
        Self {
            files,
            top,
            paths: None,
            left: COMPARISONS,
        }
    }

    /// Whether a file matches; none if that cannot be known.
    pub(super) fn has(&mut self, pattern: &str) -> Option<bool> {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        let pattern = pattern.trim_start_matches('/');
        is_plain(pattern).then_some(())?;
        let forms = alternatives(pattern)?;
        let forms: Vec<Vec<&str>> = forms.iter().map(|form| parts(form)).collect();
        let paths = self.paths.get_or_insert_with(|| listed(self.files, self.top));
        let paths = paths.as_ref()?;
        self.left = self.left.checked_sub(forms.len() * paths.len())?;
        let is_match = |path: &Vec<String>| forms.iter().any(|form| matches(form, path));
        Some(paths.iter().any(is_match))
    }
}

/// Whether it is a pattern for files that are searched, without more than `*`, `**` and alternatives. Folders that begin with a dot are often
/// made by agents.
fn is_plain(pattern: &str) -> bool {
    let mut parts = pattern.split('/');
    let is_searched =
        !parts.any(|part| PASSED_OVER.contains(&part) || part.len() > 1 && part.starts_with('.'));
    let is_known = !pattern.contains(['!', '~', '$', '\\', '?', '[', ']', '(', '+']);
    is_known && is_searched && (1..=PATTERN_BYTES).contains(&pattern.len())
}

/// The patterns that a pattern with `{a,b}` stands for; none for too many, or braces that do not match.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let (mut done, mut next) = (Vec::new(), Vec::from([pattern.to_string()]));
    while let Some(pattern) = next.pop() {
        // The innermost braces.
        let Some(end) = pattern.find('}') else {
            (!pattern.contains('{') && done.len() < ALTERNATIVES).then_some(())?;
            done.push(pattern);
            continue;
        };
        let start = pattern[..end].rfind('{')?;
        (next.len() < ALTERNATIVES).then_some(())?;
        let inner = pattern[start + 1..end].split(',');
        let whole = inner.map(|one| [&pattern[..start], one, &pattern[end + 1..]].concat());
        next.extend(whole);
    }
    Some(done)
}

/// The parts of a pattern. A bare name may mean files in any folder, and a folder all files in it.
fn parts(pattern: &str) -> Vec<&str> {
    let mut parts = Vec::from(["**"]);
    parts.extend(
        pattern
            .trim_end_matches('/')
            .split('/')
            .filter(|part| *part != "."),
    );
    parts
}

/// Whether a pattern begins with a folder's name.
pub(super) fn is_of_folder(pattern: &str) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let folder = pattern.trim_start_matches('/').split_once('/');
    folder.is_some_and(|(folder, _)| !folder.contains(['*', '{']))
}

/// Every file below a directory. None if there are too many, or only documents and settings: then others are probably elsewhere.
fn listed(files: &dyn Files, top: &str) -> Option<Vec<Vec<String>>> {
    let (mut paths, mut is_whole) = (Vec::new(), false);
    let mut next = Vec::from([(top.to_string(), 0)]);
    while let Some((directory, depth)) = next.pop() {
        for entry in files.list(&directory).unwrap_or_default() {
            let path = join(&directory, &entry.name);
            match entry.kind {
                FileKind::Directory if PASSED_OVER.contains(&&*entry.name) => {}
                FileKind::Directory => {
                    (depth < DIRECTORY_DEPTH).then_some(())?;
                    next.push((path, depth + 1));
                }
                _ => {
                    (paths.len() < SOURCE_FILES).then_some(())?;
                    let path = below(top, &path)?;
                    is_whole |= !path.starts_with('.') && !path.contains("/.") && !path.ends_with(".md");
                    paths.push(path.split('/').map(ToString::to_string).collect());
                }
            }
        }
    }
    is_whole.then_some(paths)
}

/// The patterns of a list, or of a text with commas, and where they are.
pub(super) fn of<'a>(node: &'a Node, text: &str) -> Vec<(&'a str, Span)> {
    let whole = core::slice::from_ref(node);
    let items = match &node.kind {
        Kind::Sequence(items) => items,
        _ => whole,
    };
    let mut found = Vec::new();
    for item in items {
        let parts = commas(item.as_text().unwrap_or_default()).into_iter();
        let parts = parts.map(str::trim).filter(|part| !part.is_empty());
        let left = LINKS - found.len();
        found.extend(item.span.places(text, parts.take(left)));
    }
    found
}

/// The parts between commas outside of braces.
fn commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn alternatives_are_spelled_out() {
        let sorted = |pattern| {
            let mut found = alternatives(pattern)?;
            found.sort();
            found.dedup();
            Some(found)
        };
        for (pattern, expected) in [
            ("a", Some(vec!["a"])),
            ("{a,b}.{c,d}", Some(vec!["a.c", "a.d", "b.c", "b.d"])),
            ("{a,{b,c}d}", Some(vec!["a", "bd", "cd"])),
            ("{}", Some(vec![""])),
            ("{a", None),
            ("a}", None),
        ] {
            let expected = expected.map(|all| all.into_iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(sorted(pattern), expected, "{pattern}");
        }
        assert_eq!(alternatives(&"{a,b}".repeat(10)), None);
    }

    #[test]
    fn a_pattern_is_behind_the_one_before() {
        let text = "src/*.ts, *.ts";
        let node = crate::yaml::read(text, 0)
            .expect("it is YAML")
            .root
            .expect("it has a value");
        let found = of(&node, text);
        let starts: Vec<usize> = found.iter().map(|(_, span)| span.start.index()).collect();
        assert_eq!(starts, [0, 10]);
    }

    #[test]
    fn folders_and_bare_names_match() {
        for (pattern, path, expected) in [
            ("*.ts", "src/a.ts", true),
            ("src", "src/a.ts", true),
            ("src/", "src/a.ts", true),
            ("app/*.ts", "src/app/a.ts", true),
            ("**/*.ts", "a.ts", true),
            ("src/*.ts", "src/app/a.ts", false),
            ("scr/**", "src/a.ts", false),
        ] {
            let path: Vec<String> = path.split('/').map(ToString::to_string).collect();
            assert_eq!(matches(&parts(pattern), &path), expected, "{pattern} {path:?}");
        }
    }
}
