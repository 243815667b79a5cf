//! front-matter: if the first line contains `---`, the first line that is `---` opens and the next that is `---` or `...` closes, in
//! any position.

use alloc::borrow::Cow;

use super::parts::{Frontmatter, Split, without};
use crate::dialect::edition::Blanks;
use crate::lines::ends_script_line;

pub(super) fn split(text: &str) -> Split<'_> {
    let first = text.split('\n').next().unwrap_or_default();
    if !first.contains("---") && !first.contains("= yaml =") {
        return without(text);
    }
    let Some((whole, yaml)) = starts(text).find_map(|at| fenced(text, at)) else {
        return without(text);
    };
    Split {
        frontmatter: Frontmatter::Yaml(Cow::Borrowed(Blanks::EcmaScript.trim(yaml))),
        body: Cow::Owned(text.replacen(whole, "", 1)),
    }
}

/// Where lines start.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let after = text
        .match_indices(ends_script_line)
        .map(|(at, end)| at + end.len());
    core::iter::once(0).chain(after)
}

/// The text fenced from this line on, with and without the fences.
fn fenced(text: &str, start: usize) -> Option<(&str, &str)> {
    let line = &text[start..];
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let fence = ["---", "= yaml ="]
        .into_iter()
        .find(|fence| line.starts_with(fence))?;
    let inside = &line[fence.len()..];
    if !inside.is_empty() && !inside.starts_with(ends_script_line) {
        return None;
    }
    let begin = text.len() - inside.len();
    starts(inside).skip(1).find_map(|at| {
        let closing = inside[at..].strip_prefix(fence);
        let rest = closing.or_else(|| inside[at..].strip_prefix("..."))?;
        let end = text.len() - rest.len() + closing_blanks(rest)?;
        Some((&text[start..end], &text[begin..begin + at]))
    })
}

/// The length of the whitespace after a closing fence, including a line end; none if other text follows.
fn closing_blanks(rest: &str) -> Option<usize> {
    let blanks = rest.len() - rest.trim_start_matches(|c| Blanks::EcmaScript.has(c)).len();
    if blanks == rest.len() {
        return Some(blanks);
    }
    let (last, end) = rest[..blanks].match_indices(ends_script_line).next_back()?;
    Some(last + if end == "\n" { 1 } else { 0 })
}
