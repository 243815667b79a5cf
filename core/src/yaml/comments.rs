//! Comments for Callsheet in invalid YAML.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use crate::lines::{find, lines};
use crate::span::{Span, Spanned};

/// The prefix of every directive.
pub(crate) const MARK: &str = "callsheet:";

/// The comments for Callsheet, without their `#`, and the text with spaces in their place: they must not become part of a value. Other
/// comments may be text.
pub(super) fn without_comments(text: &str, base: usize) -> (Cow<'_, str>, Vec<Spanned<String>>) {
    let mut comments = Vec::new();
    let mut rest = String::new();
    let mut copied = 0;
    let mut block: Option<usize> = None;
    if find(text, Span::new(0, text.len()), MARK).is_none() {
        return (Cow::Borrowed(text), comments);
    }
    for line in lines(text) {
        let content = line.of(text);
        let indent = content.len() - content.trim_start().len();
        if block.is_some_and(|outer| indent > outer || content.trim().is_empty()) {
            continue;
        }
        let start = comment(text, line);
        let before = &text[line.start.index()..start.unwrap_or(line.end.index())];
        block = opens_block(before).then_some(indent);
        if let Some(start) = start {
            let end = line.end.index();
            comments.push(Spanned {
                value: text[start + 1..end].to_owned(),
                span: Span::new(base + start, base + end),
            });
            rest.push_str(&text[copied..start]);
            rest.push_str(&" ".repeat(end - start));
            copied = end;
        }
    }
    rest.push_str(&text[copied..]);
    (Cow::Owned(rest), comments)
}

/// Where a comment for Callsheet starts on a line, unless within quotes.
fn comment(text: &str, line: Span) -> Option<usize> {
    let mark = find(text, line, MARK)?;
    let before = text[line.start.index()..mark.start.index()].trim_end();
    let before = before.strip_suffix('#')?;
    let is_apart = before.is_empty() || before.ends_with([' ', '\t']);
    let value = before.split_once(": ").map_or(before, |(_, value)| value);
    let value = value.trim_start_matches([' ', '-']);
    let first = value.chars().next();
    let quotes = value
        .chars()
        .filter(|c| matches!(c, '"' | '\'') && Some(*c) == first);
    (is_apart && quotes.count() % 2 == 0).then_some(line.start.index() + before.len())
}

/// Whether the deeper lines below are text.
fn opens_block(line: &str) -> bool {
    let sign = line
        .trim_end()
        .trim_end_matches(['-', '+', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    let before = sign.strip_suffix(['|', '>']);
    before.is_some_and(|before| before.trim_end().ends_with([':', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, rest: &str, found: &[&str]) {
        let (without, comments) = without_comments(text, 0);
        assert_eq!(without, rest);
        let comments: Vec<&str> = comments.iter().map(|comment| &*comment.value).collect();
        assert_eq!(comments, found);
    }

    #[test]
    fn callsheet_comments_become_spaces() {
        check(
            "a: b: c # callsheet: x\n",
            "a: b: c               \n",
            &[" callsheet: x"],
        );
        check("#callsheet: é\nb", "              \nb", &["callsheet: é"]);
    }

    #[test]
    fn other_text_is_kept() {
        for text in [
            "a: b # c: d",
            "a: 'b # callsheet: x'",
            "a: b# callsheet: x",
            "a: |\n  # callsheet: x\n\n  # callsheet: y\n",
            "- >-2\n  # callsheet: x",
        ] {
            check(text, text, &[]);
        }
    }

    #[test]
    fn comments_after_blocks_and_quotes_are_found() {
        check(
            "a: 'b' # callsheet: x",
            "a: 'b'               ",
            &[" callsheet: x"],
        );
        check(
            "a: |\n  b\n# callsheet: x",
            "a: |\n  b\n              ",
            &[" callsheet: x"],
        );
        check(
            "a: | # callsheet: x\n  # callsheet: y",
            "a: |               \n  # callsheet: y",
            &[" callsheet: x"],
        );
    }
}
