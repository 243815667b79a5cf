//! Text to tree. The only file that uses the YAML crate.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span as Range};

use super::node::{Entry, Kind, Node};
use super::scalar::Style;
use crate::limits::{YAML_DEPTH, YAML_NODES};
use crate::span::{Span, Spanned};

/// The parser's message for an unindented line of a quoted text, which other parsers accept.
const QUOTED_INDENTATION: &str = "invalid indentation in multiline quoted scalar";

/// One YAML document.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The value; none if there are only comments.
    pub root: Option<Node>,
    /// The comments, without their `#`.
    pub comments: Vec<Spanned<String>>,
}

/// Why a text is not valid YAML.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    /// The message.
    pub message: String,
    /// Where it was found.
    pub span: Span,
    /// Whether quoting a value may fix it; exceeding a limit cannot be fixed so.
    pub may_be_quoted: bool,
    /// Whether it is only an unindented line of a quoted text.
    pub is_indentation: bool,
}

/// Where a comment follows a value without a space, as `#` in `"a"#b`: strict parsers refuse it, others take it as a comment.
pub fn touching_comment(line: &str) -> Option<usize> {
    let touches = |mark: &str| line.contains(mark);
    if !["\"#", "'#", "]#", "}#"].into_iter().any(touches) {
        return None;
    }
    let at = read(line, 0).err()?.span.start.index();
    let (before, after) = line.split_at_checked(at)?;
    (after.starts_with('#') && before.ends_with(['"', '\'', ']', '}'])).then_some(at)
}

/// Reads the YAML in `text`, with all spans moved by `base`.
pub fn read(text: &str, base: usize) -> Result<Document, SyntaxError> {
    read_documents(text, base, false)
}

/// Reads the first document in `text`, ignoring what follows it.
pub fn read_first(text: &str) -> Result<Document, SyntaxError> {
    read_documents(text, 0, true)
}

fn read_documents(text: &str, base: usize, first_only: bool) -> Result<Document, SyntaxError> {
    let mut builder = Builder {
        text,
        base,
        document: Document {
            root: None,
            comments: Vec::new(),
        },
        open: Vec::new(),
        anchors: Vec::new(),
        nodes: 0,
    };
    for event in Parser::new_from_str(text) {
        let (event, range) = event.map_err(|error| syntax_error(text, base, &error))?;
        if first_only && event == Event::DocumentEnd {
            break;
        }
        builder.event(event, &range)?;
    }
    Ok(builder.document)
}

fn syntax_error(text: &str, base: usize, error: &ScanError) -> SyntaxError {
    let at = error.marker().byte_offset().unwrap_or(text.len());
    let at = text.floor_char_boundary(at.min(text.len()));
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    SyntaxError {
        is_indentation: error.info() == QUOTED_INDENTATION,
        message: error.info(),
        span: Span::new(base + at, base + end),
        may_be_quoted: true,
    }
}

/// An unfinished collection.
struct Open {
    node: Node,
    key: Option<Node>,
    anchor: usize,
}

struct Builder<'text> {
    text: &'text str,
    base: usize,
    document: Document,
    open: Vec<Open>,
    /// Values with an anchor, the latest last. There are few.
    anchors: Vec<(usize, Node)>,
    nodes: usize,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, range: &Range) -> Result<(), SyntaxError> {
        let span = self.span(range);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted => Style::SingleQuoted,
                    ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
                    ScalarStyle::Literal => Style::Literal,
                    ScalarStyle::Folded => Style::Folded,
                };
                // The parser returns `~` for absent values.
                let is_there = style != Style::Plain || !span.is_empty();
                let text = if is_there {
                    text.into_owned()
                } else {
                    String::new()
                };
                let mut node = Node::scalar(text, style, span);
                node.tag = tag.map(|tag| tag.original());
                self.finish(node, anchor)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.start(
                    Kind::Sequence(Vec::new()),
                    span,
                    anchor,
                    tag.map(|tag| tag.original()),
                )?;
            }
            Event::MappingStart(_, anchor, tag) => {
                self.start(
                    Kind::Mapping(Vec::new()),
                    span,
                    anchor,
                    tag.map(|tag| tag.original()),
                )?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(mut open) = self.open.pop() {
                    if let Some(last) = last_child(&open.node.kind) {
                        open.node.span = open.node.span.to(last);
                    }
                    if span.start > open.node.span.start && self.closes(span) {
                        open.node.span = open.node.span.to(span);
                    }
                    self.finish(open.node, open.anchor)?;
                }
            }
            Event::Alias(anchor) => {
                let named = self.anchors.iter().find(|(name, _)| *name == anchor);
                let node = named.map(|(_, node)| node.clone());
                let mut node = node.ok_or_else(|| error(span, "an alias is inside its own value"))?;
                self.nodes += count(&node);
                node.span = span;
                self.finish(node, 0)?;
            }
            Event::Comment(text, _) => self.document.comments.push(Spanned {
                value: text.into_owned(),
                span,
            }),
            Event::DocumentStart(..) if self.document.root.is_some() => {
                return Err(error(span, "a second document starts here"));
            }
            _ => {}
        }
        Ok(())
    }

    fn span(&self, range: &Range) -> Span {
        let bytes = range.byte_range().unwrap_or_default();
        Span::new(self.base + bytes.start, self.base + bytes.end)
    }

    /// Whether an end event has a bracket of its own.
    fn closes(&self, span: Span) -> bool {
        let text = Span::new(span.start.index() - self.base, span.end.index() - self.base);
        matches!(text.of(self.text), "]" | "}")
    }

    fn start(
        &mut self,
        kind: Kind,
        span: Span,
        anchor: usize,
        tag: Option<String>,
    ) -> Result<(), SyntaxError> {
        if self.open.len() >= YAML_DEPTH {
            return Err(error(span, "nested too deep"));
        }
        let node = Node { kind, span, tag };
        self.open.push(Open {
            node,
            key: None,
            anchor,
        });
        Ok(())
    }

    fn finish(&mut self, node: Node, anchor: usize) -> Result<(), SyntaxError> {
        self.nodes += 1;
        if self.nodes > YAML_NODES {
            return Err(error(node.span, "too many values"));
        }
        if anchor != 0 {
            self.anchors.push((anchor, node.clone()));
        }
        match self.open.last_mut() {
            None => self.document.root = Some(node),
            Some(open) => match &mut open.node.kind {
                Kind::Sequence(items) => items.push(node),
                Kind::Mapping(entries) => match open.key.take() {
                    None => open.key = Some(node),
                    Some(key) => entries.push(Entry { key, value: node }),
                },
                Kind::Scalar { .. } => {}
            },
        }
        Ok(())
    }
}

fn last_child(kind: &Kind) -> Option<Span> {
    match kind {
        Kind::Sequence(items) => items.last().map(|item| item.span),
        Kind::Mapping(entries) => entries.last().map(|entry| entry.key.span.to(entry.value.span)),
        Kind::Scalar { .. } => None,
    }
}

fn count(node: &Node) -> usize {
    match &node.kind {
        Kind::Scalar { .. } => 1,
        Kind::Sequence(items) => 1 + items.iter().map(count).sum::<usize>(),
        Kind::Mapping(entries) => {
            let count = |entry: &Entry| count(&entry.key) + count(&entry.value);
            1 + entries.iter().map(count).sum::<usize>()
        }
    }
}

fn error(span: Span, message: &str) -> SyntaxError {
    SyntaxError {
        message: message.to_owned(),
        span,
        may_be_quoted: false,
        is_indentation: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_exact_and_duplicates_are_found() {
        let text = "a: 1\nä: 'x'\na: [b, c]\nd: |\n  text\n";
        let document = read(text, 10).expect("this is YAML");
        let root = document.root.expect("there is a map");
        let slices: Vec<&str> = root
            .entries()
            .iter()
            .map(|entry| &text[entry.value.span.start.index() - 10..entry.value.span.end.index() - 10])
            .collect();
        assert_eq!(slices, ["1", "'x'", "[b, c]", "text\n"]);
        assert_eq!(root.get("a").and_then(Node::items).map(<[Node]>::len), Some(2));
    }

    #[test]
    fn alias_bombs_are_refused() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for n in 1..9 {
            let previous = n - 1;
            let aliases = alloc::vec![alloc::format!("*a{previous}"); 10].join(", ");
            text.push_str(&alloc::format!("a{n}: &a{n} [{aliases}]\n"));
        }
        assert_eq!(read(&text, 0).expect_err("too much").message, "too many values");
        let deep = "[".repeat(100);
        assert!(read(&deep, 0).is_err());
    }
}
