//! Files that are TOML from the first line to the last.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use crate::diagnostic::Finding;
use crate::dialect::{Canonical, Dialect, Verdict};
use crate::frontmatter::{Frontmatter, Parts};
use crate::rules;
use crate::span::Span;
use crate::toml;
use crate::verdict::Judgement;
use crate::yaml::{Document, Entry, Kind, Node, Reading};

/// The whole file as its frontmatter, the prompt as its body.
pub(super) fn parts(
    text: &str,
    start: usize,
    dialect: &Dialect,
    judgement: &mut Judgement,
) -> (Parts, Option<Document>, Reading) {
    let whole = Span::new(start, text.len());
    let (root, comments, error) = toml::parse(text, start);
    let error = match error {
        None => unknown_syntax(text, &root, dialect),
        Some(error) => Some((
            error.span,
            format!("the file is not valid TOML: {}", error.message),
        )),
    };
    let reading = match error {
        None => Reading::Strict,
        Some((span, message)) => {
            judgement.judge(Verdict::Dropped, &message);
            let finding = Finding::new(&rules::invalid_toml::RULE, span, message);
            judgement.find(finding.label("parsing fails here"));
            Reading::LineByLine
        }
    };
    let key = dialect.of_field(Canonical::Prompt);
    let prompt = key.and_then(|key| key.spellings.iter().find_map(|spelling| root.get(spelling)));
    let document = Document {
        root: Some(root.clone()),
        comments,
    };
    let parts = Parts {
        frontmatter: Some(Frontmatter {
            opening: Span::at(start),
            yaml: whole,
            oddity: None,
        }),
        body: prompt.map_or(Span::at(text.len()), |prompt| inner(text, prompt)),
    };
    (parts, Some(document), reading)
}

/// Syntax of TOML 1.1 that the product's parser does not know, and what that means.
fn unknown_syntax(text: &str, root: &Node, dialect: &Dialect) -> Option<(Span, String)> {
    let unknown = &*dialect.files.no_escapes;
    let found = (!unknown.is_empty()).then(|| first_unknown(text, root, unknown))?;
    found.map(|(span, syntax)| (span, format!("{} does not know {syntax}", dialect.id)))
}

fn first_unknown(text: &str, node: &Node, unknown: &str) -> Option<(Span, String)> {
    match &node.kind {
        Kind::Scalar { .. } => unknown_word(text, node.span, unknown),
        Kind::Sequence(items) => items.iter().find_map(|item| first_unknown(text, item, unknown)),
        Kind::Mapping(entries) => {
            let mut entries = entries.iter();
            let found = entries.find_map(|entry| {
                unknown_word(text, entry.key.span, unknown)
                    .or_else(|| first_unknown(text, &entry.value, unknown))
            });
            found.or_else(|| unknown_break(text, node))
        }
    }
}

/// An escape, or a time without seconds.
fn unknown_word(text: &str, span: Span, unknown: &str) -> Option<(Span, String)> {
    let written = span.of(text);
    let Some(quoted) = written.strip_prefix('"') else {
        let minutes = written.split_once(':').filter(|_| !written.starts_with('\''))?.1;
        let is_known = minutes.get(2..)?.starts_with(':');
        return (!is_known).then(|| (span, "times without seconds".to_owned()));
    };
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter != '\\' {
            continue;
        }
        let (_, escaped) = letters.next()?;
        if unknown.contains(escaped) {
            let start = span.start.index() + 1 + at;
            return Some((Span::new(start, start + 2), format!("the escape `\\{escaped}`")));
        }
    }
    None
}

/// A line break between the keys of an inline table. Keys with dots have no place of their value.
fn unknown_break(text: &str, table: &Node) -> Option<(Span, String)> {
    let entries = table.entries();
    let is_whole = |entry: &Entry| entry.key.span != entry.value.span;
    if !table.span.of(text).starts_with('{') || !entries.iter().all(is_whole) {
        return None;
    }
    let ends = entries.iter().map(|entry| entry.value.span.end);
    let starts = entries.iter().map(|entry| entry.key.span.start);
    let gaps = [table.span.start].into_iter().chain(ends);
    let mut gaps = gaps.zip(starts.chain([table.span.end]));
    gaps.find_map(|(start, end)| {
        let gap = Span { start, end };
        let is_broken = gap.of(text).contains('\n');
        is_broken.then(|| (gap, "line breaks in inline tables".to_owned()))
    })
}

/// The text between the quotes.
fn inner(text: &str, node: &Node) -> Span {
    let written = node.span.of(text);
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let quote = quotes
        .into_iter()
        .find(|quote| written.starts_with(quote) && written.ends_with(quote));
    let length = quote.map_or(0, str::len).min(written.len() / 2);
    Span::new(node.span.start.index() + length, node.span.end.index() - length)
}
