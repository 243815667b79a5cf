//! The commands that a text calls. In code, a call is the first word; in prose, the words beside it tell it from a path.

use alloc::vec::Vec;

use crate::limits::TEXT_NAME;
use crate::lines::lines;

/// The commands that a text calls, and their places.
pub(crate) fn calls(body: &str, mark: char) -> impl Iterator<Item = (&str, usize)> {
    let mut fence: Option<Fence> = None;
    lines(body).flat_map(move |place| {
        let (line, start) = (place.of(body), place.start.index());
        let is_code = fence.is_some();
        match (fence, fence_of(line)) {
            (None, Some(line)) if line.opens => fence = Some(line),
            (Some(open), Some(line)) if line.closes_one(open) => fence = None,
            _ => {}
        }
        let prompt = line.len() - line.trim_start_matches(['>', '$', ' ', '\t']).len();
        let (mut seen, mut is_span) = (0, false);
        let calls = line.match_indices(mark).filter_map(move |(at, _)| {
            is_span ^= line[seen..at].matches('`').count() % 2 == 1;
            seen = at;
            let (before, after) = (&line[..at], &line[at + mark.len_utf8()..]);
            let name = name_at(after)?;
            let after = &after[name.len()..];
            let is_call = if is_code && is_source(after) {
                false
            } else if is_code || is_span {
                is_code && at == prompt || before.ends_with('`') || is_quoted(before)
            } else {
                is_called(before, after)
            };
            (is_call && !is_path(after)).then_some((name, start + at + mark.len_utf8()))
        });
        calls.collect::<Vec<_>>()
    })
}

/// A line that may open or close a block of code.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    opens: bool,
    is_bare: bool,
}

impl Fence {
    fn closes_one(self, open: Self) -> bool {
        self.is_bare && self.mark == open.mark && self.length >= open.length
    }
}

fn fence_of(line: &str) -> Option<Fence> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    (length >= 3).then(|| Fence {
        mark,
        length,
        // Code in backticks within a line is none.
        opens: mark == '~' || !rest.contains('`'),
        is_bare: rest.trim().is_empty(),
    })
}

/// Whether code continues with this, as after the key of a route or a string that ends a statement.
fn is_source(after: &str) -> bool {
    after.starts_with([':', ';'])
        || after
            .strip_prefix(['"', '\''])
            .is_some_and(|rest| rest.starts_with(';'))
}

/// Whether a quote begins here that is a word of its own, not an argument such as `get("` or `href="`.
fn is_quoted(before: &str) -> bool {
    let word = before.strip_suffix(['"', '\'']);
    let is_free = |c: char| c.is_whitespace() || c == '`';
    word.is_some_and(|word| word.chars().next_back().is_none_or(is_free))
}

/// Words that a path follows, not a command.
const BEFORE_PATHS: [&str; 17] = [
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "into",
    "inside",
    "under",
    "below",
    "folder",
    "directory",
    "path",
    "route",
    "endpoint",
    "url",
];

/// Words that follow a path.
const AFTER_PATHS: [&str; 6] = ["folder", "directory", "path", "route", "endpoint", "page"];

/// Whether prose calls a command between these parts of a line.
fn is_called(before: &str, after: &str) -> bool {
    let is_free = |c: char| c.is_whitespace() || matches!(c, '(' | '*');
    let words = before.trim_end();
    let follows = |word: &&str| {
        let rest = words.strip_suffix(*word);
        rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    };
    let next = after
        .trim_start_matches(' ')
        .split(|c: char| !c.is_alphanumeric())
        .next();
    let is_described = after.starts_with(' ') && next.is_some_and(|next| AFTER_PATHS.contains(&next));
    let is_word = before.chars().next_back().is_none_or(is_free) || is_quoted(before);
    is_word && !BEFORE_PATHS.iter().any(follows) && !is_described
}

/// Whether a path continues with this, or has a query.
fn is_path(after: &str) -> bool {
    let query = after.strip_prefix(['?', '#', '=', '&']);
    after.starts_with(['/', '*']) || query.is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// The name of a definition at the beginning of a text.
pub(crate) fn name_at(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '/' | '.');
    let end = text.char_indices().take(TEXT_NAME).find(|(_, c)| !is_part(*c));
    // Longer ones name nothing.
    let end = end
        .map(|(end, _)| end)
        .or_else(|| (text.len() <= TEXT_NAME).then_some(text.len()))?;
    let name = text[..end].trim_end_matches([':', '.', '/']);
    name.starts_with(char::is_alphanumeric).then_some(name)
}
