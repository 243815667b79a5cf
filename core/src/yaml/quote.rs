//! The second reading: the same text with the offending plain values quoted.

use alloc::string::String;
use alloc::vec::Vec;

use super::read::{read, touching_comment};
use crate::frontmatter::is_key_character;
use crate::lines::lines;
use crate::span::{Offset, Span};

/// A text with some values quoted, and the mapping to the original.
pub(super) struct Quoted {
    pub(super) text: String,
    /// The quoted values, in the original.
    pub(super) values: Vec<Span>,
    /// After this offset of the new text, this many bytes more than in the original.
    shifts: Vec<(usize, usize)>,
}

impl Quoted {
    /// The span in the original. Offsets within a quoted value map to one of its ends.
    pub(super) fn original(&self, span: Span) -> Span {
        let back = |offset: Offset| {
            let passed = self.shifts.partition_point(|(after, _)| *after <= offset.index());
            let shift = passed.checked_sub(1).map_or(0, |last| self.shifts[last].1);
            offset.index() - shift
        };
        Span::new(back(span.start), back(span.end))
    }
}

/// Quotes the values of top-level `key: value` lines that are not valid YAML alone. None if there are none.
pub(super) fn quote(text: &str) -> Option<Quoted> {
    let anchors = anchors(text);
    let values: Vec<Span> = lines(text)
        .filter_map(|line| offending_value(text, line, &anchors))
        .collect();
    if values.is_empty() {
        return None;
    }
    let mut quoted = Quoted {
        text: String::with_capacity(text.len() + 2 * values.len()),
        values: Vec::new(),
        shifts: Vec::new(),
    };
    let mut copied = 0;
    for value in &values {
        quoted.text.push_str(&text[copied..value.start.index()]);
        quoted.text.push_str(&requoted(value.of(text)));
        copied = value.end.index();
        quoted
            .shifts
            .push((quoted.text.len(), quoted.text.len() - copied));
    }
    quoted.text.push_str(&text[copied..]);
    quoted.values = values;
    Some(quoted)
}

/// The value as a single-quoted scalar. Its quotes, also those that an apostrophe ends too early, are kept as text.
pub fn requoted(value: &str) -> String {
    let text = unquoted(value);
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push('\'');
    quoted.push_str(&text.replace('\'', "''"));
    quoted.push('\'');
    quoted
}

/// The text without enclosing quotes. An apostrophe within a word is not a quote.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = ['"', '\''].iter().find_map(|quote| {
        let inner = text.strip_prefix(*quote)?.strip_suffix(*quote)?;
        let within_word = |(at, _): (usize, &str)| {
            let around = (inner[..at].chars().next_back(), inner[at + 1..].chars().next());
            matches!(around, (Some(a), Some(b)) if a.is_alphanumeric() && b.is_alphanumeric())
        };
        inner.match_indices(*quote).all(within_word).then_some(inner)
    });
    inner.unwrap_or(text)
}

/// The anchors of values, for aliases.
fn anchors(text: &str) -> Vec<&str> {
    let name = |(at, _)| {
        let rest = &text[at + 1..];
        rest.split(char::is_whitespace).next().unwrap_or_default()
    };
    let names = text.match_indices('&').map(name);
    names.filter(|name| !name.is_empty()).collect()
}

fn offending_value(text: &str, line: Span, anchors: &[&str]) -> Option<Span> {
    let content = line.of(text);
    let (key, rest) = content.split_once(':')?;
    if key.is_empty() || !key.chars().all(is_key_character) || !rest.starts_with([' ', '\t']) {
        return None;
    }
    let value = rest.trim();
    if value
        .strip_prefix('*')
        .is_some_and(|alias| anchors.contains(&alias))
    {
        return None;
    }
    let is_block = value.strip_prefix(['|', '>']).is_some_and(|header| {
        let rest = header.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
        rest.is_empty() || rest.trim_start().starts_with('#')
    });
    if value.is_empty() || is_block || read(content, 0).is_ok() || touching_comment(content).is_some() {
        return None;
    }
    let start = line.start.index() + key.len() + 1 + (rest.len() - rest.trim_start().len());
    Some(Span::new(start, start + value.len()))
}
