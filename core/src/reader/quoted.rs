//! Quoted multi-line text as js-yaml reads it: trailing whitespace of a line is kept.

use alloc::string::String;
use alloc::vec::Vec;

use crate::span::Span;
use crate::yaml::{Document, Kind, Node, Style, SyntaxError};

/// Placeholders for a space and a tab during parsing, without a meaning of their own.
const STAND_INS: [(char, char); 2] = [(' ', '\u{f8fc}'), ('\t', '\u{f8fd}')];

/// Restores the whitespace that the parser trimmed.
pub(super) fn keep_blanks(
    document: &mut Document,
    text: &str,
    read: impl Fn(&str) -> Result<Document, SyntaxError>,
) {
    let Some(root) = &mut document.root else { return };
    let mut quoted = Vec::new();
    collect(root, text, &mut quoted);
    if quoted.is_empty() || text.contains(STAND_INS.map(|(_, stand_in)| stand_in)) {
        return;
    }
    let mut marked = String::with_capacity(text.len());
    let mut at = 0;
    for span in quoted {
        marked.push_str(&text[at..span.start.index()]);
        mark(span.of(text), &mut marked);
        at = span.end.index();
    }
    marked.push_str(&text[at..]);
    if let Ok(Document {
        root: Some(marked), ..
    }) = read(&marked)
    {
        take(root, &marked);
    }
}

/// The quoted texts with trailing whitespace on a line, each once.
fn collect(node: &Node, text: &str, found: &mut Vec<Span>) {
    match &node.kind {
        Kind::Scalar {
            style: Style::SingleQuoted | Style::DoubleQuoted,
            ..
        } => {
            let mut lines = node.span.of(text).split_inclusive(['\n', '\r']);
            let ends = |line: &str| line.ends_with(['\n', '\r']) && body(line).ends_with([' ', '\t']);
            // Values of aliases are repeated.
            let is_new = found.last().is_none_or(|last| last.end <= node.span.start);
            if is_new && lines.any(ends) {
                found.push(node.span);
            }
        }
        Kind::Scalar { .. } => {}
        Kind::Sequence(items) => items.iter().for_each(|item| collect(item, text, found)),
        Kind::Mapping(entries) => {
            for entry in entries {
                collect(&entry.key, text, found);
                collect(&entry.value, text, found);
            }
        }
    }
}

/// Puts placeholders where a line with any words, or the first one, ends in whitespace.
fn mark(quoted: &str, out: &mut String) {
    for (number, line) in quoted.split_inclusive(['\n', '\r']).enumerate() {
        let body = body(line);
        let words = body.trim_end_matches([' ', '\t']);
        let ends = line.len() > body.len();
        // Escaped whitespace is kept anyway.
        if !ends || number > 0 && words.is_empty() || words.ends_with('\\') {
            out.push_str(line);
            continue;
        }
        out.push_str(words);
        for c in body[words.len()..].chars() {
            let stand_in = STAND_INS.iter().find(|(blank, _)| *blank == c);
            out.push(stand_in.map_or(c, |(_, stand_in)| *stand_in));
        }
        out.push_str(&line[body.len()..]);
    }
}

/// A line without its end.
fn body(line: &str) -> &str {
    line.trim_end_matches(['\n', '\r'])
}

/// Takes the quoted texts from a tree of the same form.
fn take(to: &mut Node, from: &Node) {
    match (&mut to.kind, &from.kind) {
        (
            Kind::Scalar { text, .. },
            Kind::Scalar {
                text: marked,
                style: Style::SingleQuoted | Style::DoubleQuoted,
            },
        ) => {
            let blank = |c| STAND_INS.iter().find(|(_, stand_in)| *stand_in == c);
            *text = marked
                .chars()
                .map(|c| blank(c).map_or(c, |(blank, _)| *blank))
                .collect();
        }
        (Kind::Sequence(to), Kind::Sequence(from)) => {
            to.iter_mut().zip(from).for_each(|(to, from)| take(to, from));
        }
        (Kind::Mapping(to), Kind::Mapping(from)) => {
            for (to, from) in to.iter_mut().zip(from) {
                take(&mut to.key, &from.key);
                take(&mut to.value, &from.value);
            }
        }
        _ => {}
    }
}
