//! Comments for Callsheet in a text that is no YAML.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use crate::ignore::MARK;
use crate::lines::lines;
use crate::span::{Span, Spanned};

/// The comments that are meant for us, without their `#`, and the text with blanks where they stand: they must not become part
/// of a value. All other comments may as well be text.
pub(super) fn without_comments(text: &str, base: usize) -> (Cow<'_, str>, Vec<Spanned<String>>) {
    let mut comments = Vec::new();
    let mut rest = String::new();
    let mut copied = 0;
    let mut block: Option<usize> = None;
    if !text.contains(MARK) {
        return (Cow::Borrowed(text), comments);
    }
    for line in lines(text) {
        let content = line.of(text);
        let indent = content.len() - content.trim_start().len();
        if block.is_some_and(|outer| indent > outer || content.trim().is_empty()) {
            continue;
        }
        let start = comment(content).map(|at| line.start.index() + at);
        let before = &text[line.start.index()..start.unwrap_or(line.end.index())];
        block = opens_block(before).then_some(indent);
        if let Some(start) = start {
            let end = line.end.index();
            comments.push(Spanned {
                value: text[start + 1..end].to_owned(),
                span: Span::new(base + start, base + end),
            });
            rest.push_str(&text[copied..start]);
            rest.extend(core::iter::repeat_n(' ', end - start));
            copied = end;
        }
    }
    rest.push_str(&text[copied..]);
    (Cow::Owned(rest), comments)
}

/// Where a comment for us begins on a line, unless within quotes.
fn comment(line: &str) -> Option<usize> {
    let (at, _) = line.match_indices('#').find(|(at, _)| {
        let apart = line[..*at].is_empty() || line[..*at].ends_with([' ', '\t']);
        apart && line[at + 1..].trim_start().starts_with(MARK)
    })?;
    let value = line[..at]
        .split_once(": ")
        .map_or(&line[..at], |(_, value)| value);
    let value = value.trim_start().trim_start_matches("- ");
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let is_open = quote.is_some_and(|quote| value.matches(quote).count() % 2 == 1);
    (!is_open).then_some(at)
}

/// Whether the lines below that are indented deeper are text.
fn opens_block(line: &str) -> bool {
    let header = line
        .trim_end()
        .trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'));
    let before = header.strip_suffix(['|', '>']).map(str::trim_end);
    before.is_some_and(|before| before.ends_with([':', '-']))
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
    fn comments_for_us_become_blanks() {
        check(
            "a: b: c # callsheet: x\n",
            "a: b: c               \n",
            &[" callsheet: x"],
        );
        check("#callsheet: é\nb", "              \nb", &["callsheet: é"]);
    }

    #[test]
    fn other_text_stays() {
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
    fn blocks_and_quotes_end() {
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
