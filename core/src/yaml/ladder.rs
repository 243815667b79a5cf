//! Three readings of one frontmatter, each used only if the previous one fails.

use alloc::vec::Vec;

use super::comments::without_comments;
use super::line_reader::read_lines;
use super::quote::quote;
use super::read::{Document, SyntaxError, read};
use crate::limits::FRONTMATTER_BYTES;
use crate::span::Span;

/// How a frontmatter was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reading {
    /// There is none.
    NoFrontmatter,
    /// As YAML.
    Strict,
    /// As YAML, with the offending values quoted.
    Quoted,
    /// Line by line, knowing only the keys.
    LineByLine,
}

/// What prevented a strict reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Values that must be quoted, with YAML's message about the first.
    Unquoted(Vec<Span>, SyntaxError),
    /// Something that quoting does not fix.
    Syntax(SyntaxError),
    /// It is too long to be parsed as YAML.
    TooLong,
}

/// The content of a frontmatter, and how it was read.
#[derive(Debug)]
pub struct Ladder {
    /// Its content.
    pub document: Document,
    /// The reading that succeeded.
    pub reading: Reading,
    /// Why no stricter one did.
    pub problem: Option<Problem>,
}

/// Reads the YAML in `yaml`, a span of `text`, by the strictest reading that succeeds.
pub fn climb(text: &str, yaml: Span, is_known: &dyn Fn(&str) -> bool) -> Ladder {
    let slice = yaml.of(text);
    let base = yaml.start.index();
    let error = match (slice.len() <= FRONTMATTER_BYTES).then(|| read(slice, base)) {
        Some(Ok(document)) => {
            return Ladder {
                document,
                reading: Reading::Strict,
                problem: None,
            };
        }
        Some(Err(error)) => Some(error),
        None => None,
    };
    let (slice, mut comments) = without_comments(slice, base);
    let mut ladder = read_invalid(&slice, base, error, is_known);
    ladder.document.comments.append(&mut comments);
    ladder
}

/// Reads invalid YAML, with its error; without one, it is too long.
fn read_invalid(
    slice: &str,
    base: usize,
    error: Option<SyntaxError>,
    is_known: &dyn Fn(&str) -> bool,
) -> Ladder {
    let by_lines = |problem| Ladder {
        document: read_lines(slice, base, is_known),
        reading: Reading::LineByLine,
        problem: Some(problem),
    };
    let Some(error) = error else {
        return by_lines(Problem::TooLong);
    };
    let Some(quoted) = quote(slice).filter(|_| error.may_be_quoted) else {
        return by_lines(Problem::Syntax(error));
    };
    let Ok(mut document) = read(&quoted.text, 0) else {
        return by_lines(Problem::Syntax(error));
    };
    let back = |span: Span| {
        let span = quoted.original(span);
        Span::new(base + span.start.index(), base + span.end.index())
    };
    if let Some(root) = &mut document.root {
        root.map_spans(&back);
    }
    for comment in &mut document.comments {
        comment.span = back(comment.span);
    }
    let values = quoted
        .values
        .iter()
        .map(|span| Span::new(base + span.start.index(), base + span.end.index()))
        .collect();
    Ladder {
        document,
        reading: Reading::Quoted,
        problem: Some(Problem::Unquoted(values, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Node;

    fn climbed(text: &str) -> (Ladder, alloc::vec::Vec<(&str, &str)>) {
        let known = |key: &str| matches!(key, "name" | "description" | "tools");
        let ladder = climb(text, Span::new(0, text.len()), &known);
        let root = ladder.document.root.as_ref();
        let spans = root
            .map(Node::entries)
            .unwrap_or_default()
            .iter()
            .map(|entry| (entry.key.span.of(text), entry.value.span.of(text)))
            .collect();
        (ladder, spans)
    }

    fn value(ladder: &Ladder, key: &str) -> alloc::string::String {
        let root = ladder.document.root.as_ref().expect("there is a map");
        root.get(key).and_then(Node::as_text).unwrap_or_default().into()
    }

    #[test]
    fn unquoted_colons_are_quoted() {
        let text = "name: a\ndescription: Use this: it's good\ntools: *\n";
        let (ladder, spans) = climbed(text);
        assert_eq!(ladder.reading, Reading::Quoted);
        assert_eq!(value(&ladder, "description"), "Use this: it's good");
        assert_eq!(value(&ladder, "tools"), "*");
        assert_eq!(
            spans,
            [
                ("name", "a"),
                ("description", "Use this: it's good"),
                ("tools", "*")
            ]
        );
    }

    #[test]
    fn an_alias_without_an_anchor_is_text() {
        let text = "name: &a x\ndescription: Find & sort: this\nmodel: *a\ntools: *\nskills: *ab\n";
        let (ladder, spans) = climbed(text);
        assert_eq!(ladder.reading, Reading::Quoted);
        assert_eq!(value(&ladder, "model"), "x");
        assert_eq!(value(&ladder, "tools"), "*");
        assert_eq!(value(&ladder, "skills"), "*ab");
        assert_eq!(spans[1], ("description", "Find & sort: this"));
    }

    #[test]
    fn unindented_lines_continue_a_value() {
        let text = "name: a\ndescription: Use: this\n<example>\nuser: hello\n</example>\ntools: [A, B]\n";
        let (ladder, spans) = climbed(text);
        assert_eq!(ladder.reading, Reading::LineByLine);
        assert_eq!(
            value(&ladder, "description"),
            "Use: this\n<example>\nuser: hello\n</example>"
        );
        assert_eq!(spans[2], ("tools", "[A, B]"));
    }
}
