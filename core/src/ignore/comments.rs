//! Finds `callsheet:` comments and the lines they apply to.

use alloc::string::String;

use super::Ignores;
use super::directive::read;
use crate::frontmatter::Parts;
use crate::lines::lines;
use crate::markdown::html_comments;
use crate::span::{Span, Spanned};
use crate::yaml::MARK;

/// The directives of a file: in its frontmatter, as parsed by YAML, and in its body.
pub(crate) fn comments(text: &str, parts: &Parts, yaml: &[Spanned<String>]) -> Ignores {
    let mut ignores = Ignores::default();
    if let Some(frontmatter) = &parts.frontmatter {
        for comment in yaml {
            let Spanned { value, span } = comment;
            let words = Span::new(span.end.index() - value.len(), span.end.index());
            let lines = || about(text, frontmatter.yaml, *span, true);
            read(text, words, &lines, &mut ignores);
        }
    }
    for (comment, words) in html_comments(text, parts.body, MARK) {
        let lines = || about(text, parts.body, comment, false);
        read(text, words, &lines, &mut ignores);
    }
    ignores
}

/// The lines that a comment in `part` applies to: its own or, if it is alone there, the next non-blank one. In YAML also those that
/// continue the value of a key.
fn about(text: &str, part: Span, comment: Span, in_yaml: bool) -> Span {
    let before = &text[part.start.index()..comment.start.index()];
    let start = part.start.index() + before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let mut found: Option<(Line<'_>, Span)> = None;
    for line in lines(&text[start..part.end.index()]) {
        let span = Span::new(start + line.start.index(), start + line.end.index());
        let line = Line(span.of(text));
        match &mut found {
            None if span.start < comment.end => {
                if !is_alone(text, span, comment) {
                    found = Some((line, span));
                }
            }
            None => {
                if !(line.is_blank() || in_yaml && line.starts_with('#')) {
                    found = Some((line, span));
                }
            }
            Some((first, lines)) if in_yaml && line.continues(first) => *lines = lines.to(span),
            Some(_) => break,
        }
    }
    found.map_or(Span::at(part.end.index()), |(_, lines)| lines)
}

/// Whether a line contains only a comment, or part of one.
fn is_alone(text: &str, line: Span, comment: Span) -> bool {
    let before = line.start.index()..comment.start.index().max(line.start.index());
    let after = comment.end.index().min(line.end.index())..line.end.index();
    text[before].trim().is_empty() && text[after].trim().is_empty()
}

struct Line<'text>(&'text str);

impl Line<'_> {
    fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    fn starts_with(&self, sign: char) -> bool {
        self.0.trim_start().starts_with(sign)
    }

    fn indent(&self) -> usize {
        self.0.len() - self.0.trim_start().len()
    }

    /// Whether the value of a key or an item that starts on another line continues here.
    fn continues(&self, first: &Self) -> bool {
        let (indent, least) = (self.indent(), first.indent());
        // The items of a list may be right below its key.
        let is_item = indent == least && self.starts_with('-') && !first.starts_with('-');
        indent > least || is_item || self.is_blank()
    }
}
