//! Every place is inside its file, on character boundaries.

use std::str;

use callsheet_core::definition::ToolFilter;
use callsheet_core::diagnostic::Place;
use callsheet_core::document::Parsed;
use callsheet_core::lines::LineIndex;
use callsheet_core::span::Span;
use callsheet_core::yaml::{Document, Kind, Node};

/// The span covers characters of the text.
pub(super) fn inside(text: &str, span: Span, what: &str) {
    assert!(
        text.get(span.range()).is_some(),
        "{what} at {:?} does not lie in {text:?}",
        span.range()
    );
}

pub(super) fn document(text: &str, document: &Document) {
    if let Some(root) = &document.root {
        node(text, root);
    }
    document
        .comments
        .iter()
        .for_each(|comment| inside(text, comment.span, "comment"));
}

fn node(text: &str, it: &Node) {
    inside(text, it.span, "node");
    match &it.kind {
        Kind::Scalar { .. } => {}
        Kind::Sequence(items) => items.iter().for_each(|item| node(text, item)),
        Kind::Mapping(entries) => entries.iter().for_each(|entry| {
            node(text, &entry.key);
            node(text, &entry.value);
        }),
    }
}

pub(super) fn parsed(bytes: &[u8], parsed: &Parsed) {
    let check = |span: Span, what: &str| match str::from_utf8(bytes) {
        Ok(text) => inside(text, span, what),
        Err(_) => assert!(
            span.end.index() <= bytes.len(),
            "{what} at {:?} ends outside",
            span.range()
        ),
    };
    let definition = &parsed.document.definition;
    check(definition.body, "body");
    for field in &definition.fields {
        check(field.key_span, "key");
        check(field.value_span, "value");
    }
    let tools = match &definition.tools {
        ToolFilter::Only(rules) => rules.as_slice(),
        _ => &[],
    };
    tools
        .iter()
        .chain(&definition.denied_tools)
        .for_each(|rule| check(rule.span, &rule.tool));
    let outline = &parsed.outline;
    outline.headings.iter().for_each(|it| check(it.span, "heading"));
    outline
        .code_blocks
        .iter()
        .for_each(|it| check(it.span, "code block"));
    outline.links.iter().for_each(|it| check(it.span, "link"));
    outline.examples.iter().for_each(|it| check(it.span, "example"));
    for diagnostic in parsed
        .document
        .diagnostics
        .iter()
        .chain(&parsed.document.suppressed)
    {
        let related = diagnostic.related.iter().map(|label| &label.place);
        for place in related.chain([&diagnostic.primary.place]) {
            check(place.span, diagnostic.rule);
            position(bytes, place);
        }
        let edits = diagnostic.fixes.iter().flat_map(|fix| &fix.edits);
        edits.for_each(|edit| check(edit.span, diagnostic.rule));
    }
}

/// Line and column agree with the bytes.
fn position(bytes: &[u8], place: &Place) {
    if let Ok(text) = str::from_utf8(bytes) {
        let lines = LineIndex::new(text);
        assert_eq!(lines.position(text, place.span.start), place.start);
        assert_eq!(lines.position(text, place.span.end), place.end);
    }
}
