//! A file that instructions import does not exist.
//!
//! Claude Code starts without the imported text, and without a warning. Gemini CLI replaces the import with a comment that only the model sees.
//!
//! ```markdown
//! Follow @docs/style-guide.md when you write texts.
//! ```
//!
//! Paths are relative to the file that contains them. Imported files are checked, too. Only paths of Markdown and text files are checked,
//! because other words with an `@` may be names. Code and comments are not checked.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::limits::LINKS;
use crate::markdown::unread;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "missing-import",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Claude Code's memory documentation (2026-08): `@path` imports, relative to the file, outside of code; source code of Gemini CLI 0.61.0",
}

/// The paths that a text imports, and where. The places are those of the paths with their `@`.
pub(crate) fn imports(text: &str) -> Vec<(&str, Span)> {
    let imports = words(text).into_iter().filter_map(|(word, at)| {
        let path = path(word)?;
        Some((path, Span::new(at, at + 1 + path.len())))
    });
    imports.take(LINKS).collect()
}

/// The words after an `@` outside of code and comments, and where the `@` is.
pub(crate) fn words(text: &str) -> Vec<(&str, usize)> {
    let unread = unread(text, Span::new(0, text.len()));
    let is_read = |at: usize| {
        let after = unread.partition_point(|span| span.start.index() <= at);
        after == 0 || unread[after - 1].end.index() <= at
    };
    let starts = text.match_indices('@').filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        before.is_none_or(char::is_whitespace) && is_read(*at)
    });
    let word = |at: usize| text[at + 1..].split(char::is_whitespace).next();
    starts
        .filter_map(|(at, _)| Some((word(at).filter(|word| !word.is_empty())?, at)))
        .collect()
}

/// The finding about an import that is not there.
pub(crate) fn finding(path: &str, at: Span) -> Finding {
    let message = format!("the file imports `{path}`, which does not exist");
    Finding::new(&RULE, at, message).label("no such file")
}

/// The path at the start of a word, if it can only be one.
fn path(word: &str) -> Option<&str> {
    let path = word.split('#').next().unwrap_or_default();
    let path = path.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_file = [".md", ".mdc", ".txt"]
        .iter()
        .any(|ending| path.ends_with(ending));
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '_' | '-');
    let is_example = path.starts_with("path/to/") || path.contains("local");
    let is_known = is_file && path.chars().all(is_plain) && !path.starts_with('/') && !is_example;
    is_known.then_some(path)
}
