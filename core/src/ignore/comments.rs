//! Where the comments for us stand, and which lines they are about.

use alloc::string::String;

use super::Ignores;
use super::directive::{MARK, read};
use crate::frontmatter::Parts;
use crate::lines::lines;
use crate::markdown::html;
use crate::span::{Span, Spanned};

/// What the comments of a file say: those of its frontmatter, which its YAML knows, and those of its body.
pub(crate) fn comments(text: &str, parts: &Parts, yaml: &[Spanned<String>]) -> Ignores {
    let mut ignores = Ignores::default();
    if let Some(frontmatter) = &parts.frontmatter {
        for comment in yaml {
            let span = comment.span;
            let words = Span::new(span.end.index() - comment.value.len(), span.end.index());
            read(text, words, key_lines(text, frontmatter.yaml, span), &mut ignores);
        }
    }
    let body = parts.body.of(text);
    if body.contains(MARK) {
        for element in html(text, parts.body) {
            for (comment, words) in html_comments(text, element) {
                read(text, words, body_lines(text, parts.body, comment), &mut ignores);
            }
        }
    }
    ignores
}

/// The comments in a stretch of HTML: all of each, and its words.
fn html_comments(text: &str, element: Span) -> impl Iterator<Item = (Span, Span)> + '_ {
    const OPENING: &str = "<!--";
    const CLOSING: &str = "-->";
    let mut next = element.start.index();
    core::iter::from_fn(move || {
        let rest = &text[next..element.end.index()];
        let start = next + rest.find(OPENING)?;
        let words = start + OPENING.len();
        let length = text[words..element.end.index()].find(CLOSING)?;
        next = words + length + CLOSING.len();
        Some((Span::new(start, next), Span::new(words, words + length)))
    })
}

/// The line that holds `span`, without its end, as far as it lies in `part`.
fn line_of(text: &str, part: Span, span: Span) -> Span {
    let ends = ['\n', '\r'];
    let before = &text[part.start.index()..span.start.index()];
    let start = before
        .rfind(ends)
        .map_or(part.start.index(), |end| part.start.index() + end + 1);
    let after = &text[span.end.index()..part.end.index()];
    let end = after
        .find(ends)
        .map_or(part.end.index(), |length| span.end.index() + length);
    Span::new(start, end)
}

/// Whether there is nothing but the comment on its lines.
fn is_alone(text: &str, line: Span, comment: Span) -> bool {
    let before = &text[line.range()][..comment.start.index() - line.start.index()];
    let after = &text[comment.end.index()..line.end.index()];
    before.trim().is_empty() && after.trim().is_empty()
}

/// A comment alone on its line is about the next line that says something, any other about its own.
fn body_lines(text: &str, body: Span, comment: Span) -> Span {
    let line = line_of(text, body, comment);
    if !is_alone(text, line, comment) {
        return line;
    }
    next_line(text, body, line, |line| !line.trim().is_empty())
}

/// The same for YAML; a key goes on as long as its value does.
fn key_lines(text: &str, yaml: Span, comment: Span) -> Span {
    let mut line = line_of(text, yaml, comment);
    if is_alone(text, line, comment) {
        line = next_line(text, yaml, line, |line| {
            !line.trim().is_empty() && !line.trim_start().starts_with('#')
        });
    }
    let indent = indent(line.of(text));
    let is_item = |line: &str| line.trim_start().starts_with("- ");
    let first_is_item = is_item(line.of(text));
    let rest = &text[line.end.index()..yaml.end.index()];
    let goes_on = |below: &Span| {
        let below = below.of(rest);
        let deeper = self::indent(below) > indent;
        deeper || below.trim().is_empty() || is_item(below) && !first_is_item && self::indent(below) == indent
    };
    // The first is what is left of the line itself: nothing.
    let last = lines(rest).skip(1).take_while(goes_on).last();
    let end = last.map_or(line.end.index(), |last| line.end.index() + last.end.index());
    Span::new(line.start.index(), end)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The first line below another that is `wanted`, or the end.
fn next_line(text: &str, part: Span, line: Span, wanted: impl Fn(&str) -> bool) -> Span {
    let start = line.end.index();
    let rest = &text[start..part.end.index()];
    let mut below = lines(rest).skip(1).filter(|line| wanted(line.of(rest)));
    let end = Span::at(part.end.index());
    below.next().map_or(end, |line| {
        Span::new(start + line.start.index(), start + line.end.index())
    })
}
