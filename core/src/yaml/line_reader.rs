//! The third reading: line by line, with known keys only. Any other line continues the value before it.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::node::{Entry, Kind, Node};
use super::quote::unquoted;
use super::read::{Document, read};
use super::scalar::Style;
use crate::frontmatter::is_key_character;
use crate::lines::lines;
use crate::span::Span;

/// Reads as much as possible. `is_known` tells which words are keys.
pub(super) fn read_lines(text: &str, base: usize, is_known: &dyn Fn(&str) -> bool) -> Document {
    let mut entries: Vec<(Span, Vec<Span>)> = Vec::new();
    for line in lines(text) {
        match known_key(text, line, is_known) {
            Some((key, value)) => entries.push((key, alloc::vec![value])),
            None => {
                if let Some((_, value)) = entries.last_mut() {
                    value.push(line);
                }
            }
        }
    }
    let entries: Vec<Entry> = entries
        .into_iter()
        .map(|(key, value)| Entry {
            key: Node::text(key.of(text), moved(key, base)),
            value: read_value(text, &value, base),
        })
        .collect();
    let span = Span::new(base, base + text.len());
    let root = (!entries.is_empty()).then_some(Node {
        kind: Kind::Mapping(entries),
        span,
        tag: None,
    });
    Document {
        root,
        comments: Vec::new(),
    }
}

fn moved(span: Span, base: usize) -> Span {
    Span::new(base + span.start.index(), base + span.end.index())
}

fn known_key(text: &str, line: Span, is_known: &dyn Fn(&str) -> bool) -> Option<(Span, Span)> {
    let (key, rest) = line.of(text).split_once(':')?;
    // The space after the colon may be missing, since a known word is almost certainly a key.
    if rest.starts_with([':', '/']) || !key.chars().all(is_key_character) || !is_known(key) {
        return None;
    }
    let start = line.start.index();
    let colon = start + key.len();
    Some((Span::new(start, colon), Span::new(colon + 1, line.end.index())))
}

/// A value on its own: valid YAML, or a list of `- ` lines, otherwise the text with its lines joined.
fn read_value(text: &str, value: &[Span], base: usize) -> Node {
    if let Some(quoted) = closed_on_first_line(text, value[0], base) {
        return quoted;
    }
    let whole = value.iter().skip(1).fold(value[0], |whole, line| whole.to(*line));
    let span = trimmed(text, whole);
    if let Ok(document) = read(span.of(text), base + span.start.index()) {
        let root = document
            .root
            .filter(|root| !matches!(root.kind, Kind::Mapping(_)));
        let lines: Vec<&str> = value.iter().map(|line| line.of(text)).collect();
        // Joined again: a value has LF line ends, regardless of the file's.
        let as_it_stands = || lines.join("\n").trim().to_owned();
        return root.unwrap_or_else(|| Node::scalar(as_it_stands(), Style::Plain, moved(span, base)));
    }
    if let Some(items) = list_items(text, value) {
        let item = |span: Span| Node::text(unquoted(span.of(text)), moved(span, base));
        return Node {
            kind: Kind::Sequence(items.into_iter().map(item).collect()),
            span: moved(span, base),
            tag: None,
        };
    }
    let joined: Vec<&str> = value.iter().map(|line| line.of(text).trim()).collect();
    let joined = joined.join("\n");
    let joined = joined.trim();
    let content = joined
        .strip_prefix(['|', '>'])
        .and_then(|rest| rest.trim_start_matches(['-', '+']).strip_prefix('\n'))
        .unwrap_or(joined);
    Node::text(unquoted(content), moved(span, base))
}

/// A value in quotes that close on its line ends there, even if no key follows.
fn closed_on_first_line(text: &str, line: Span, base: usize) -> Option<Node> {
    let span = trimmed(text, line);
    let quoted = span.of(text).starts_with(['"', '\'']);
    let document = quoted.then(|| read(span.of(text), base + span.start.index()).ok())??;
    document.root
}

fn trimmed(text: &str, span: Span) -> Span {
    let content = span.of(text);
    let start = span.start.index() + (content.len() - content.trim_start().len());
    Span::new(start, start + content.trim().len())
}

fn list_items(text: &str, value: &[Span]) -> Option<Vec<Span>> {
    let lines = value.iter().map(|line| trimmed(text, *line));
    let mut items = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let item = line.of(text).strip_prefix("- ")?;
        items.push(trimmed(
            text,
            Span::new(line.end.index() - item.len(), line.end.index()),
        ));
    }
    (!items.is_empty()).then_some(items)
}
