//! `<example>` elements.

use crate::span::Span;

/// An element, the tags in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example<'text> {
    /// The text between the tags, trimmed.
    pub text: &'text str,
    /// The element, tags included.
    pub span: Span,
}

const OPEN: &str = "<example>";
const CLOSE: &str = "</example>";

/// The elements in a text, in order. An unclosed element does not count.
pub fn examples(text: &str) -> impl Iterator<Item = Example<'_>> {
    let mut from = 0;
    core::iter::from_fn(move || {
        let start = find(text, OPEN, from)?;
        let inner = start + OPEN.len();
        let end = find(text, CLOSE, inner)?;
        from = end + CLOSE.len();
        Some(Example {
            text: text[inner..end].trim(),
            span: Span::new(start, from),
        })
    })
}

fn find(text: &str, tag: &str, from: usize) -> Option<usize> {
    let is_tag = |at: &usize| {
        let found = text.as_bytes().get(*at..at + tag.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(tag.as_bytes()))
    };
    // Few bytes of a text are `<`, and searching for those is fast.
    let mut brackets = text.get(from..)?.match_indices('<').map(|(at, _)| from + at);
    brackets.find(is_tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn tags_ignore_case_and_must_be_closed() {
        let text = "a <example> one </example> <EXAMPLE>two</Example> <example>three";
        let found: Vec<&str> = examples(text).map(|example| example.text).collect();
        assert_eq!(found, ["one", "two"]);
    }
}
