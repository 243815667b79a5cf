//! Files that are TOML from the first line to the last.

use alloc::format;
use alloc::string::String;

use crate::diagnostic::Finding;
use crate::dialect::{Canonical, Dialect, Verdict};
use crate::frontmatter::{Frontmatter, Parts};
use crate::rules;
use crate::span::Span;
use crate::toml;
use crate::verdict::Judgement;
use crate::yaml::{Document, Node, Reading};

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
        None => unknown_escape(text, &root, dialect),
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
    let key = dialect.keys.iter().find(|key| key.field == Canonical::Prompt);
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

/// An escape that the product's parser does not know, and what that means.
fn unknown_escape(text: &str, root: &Node, dialect: &Dialect) -> Option<(Span, String)> {
    let unknown = &*dialect.files.no_escapes;
    let values = root.entries().iter().map(|entry| entry.value.span);
    values.filter(|_| !unknown.is_empty()).find_map(|span| {
        let mut letters = span.of(text).strip_prefix('"')?.char_indices();
        while let Some((at, letter)) = letters.next() {
            if letter != '\\' {
                continue;
            }
            let (_, escaped) = letters.next()?;
            if unknown.contains(escaped) {
                let start = span.start.index() + 1 + at;
                let message = format!("{} does not know the escape `\\{escaped}`", dialect.id);
                return Some((Span::new(start, start + 2), message));
            }
        }
        None
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
