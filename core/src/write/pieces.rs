//! A Markdown file in pieces: the lines of each key, and the prompt.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Value;
use super::emit::after_colon;
use super::page::Page;
use super::settle::settle;
use crate::dialect::{Dialect, Key};
use crate::lines::lines;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::Node;

/// One key of a file.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) key: String,
    /// Where the key is.
    pub(crate) span: Span,
    pub(crate) value: Node,
    /// Its lines without their common indentation, each with LF.
    pub(crate) text: String,
}

/// The keys of a file in its order, the last of each name, and the text after the closing fence.
///
/// Fails with why the file cannot be taken apart.
pub(crate) fn pieces(source: &Source<'_>) -> Result<(Vec<Piece>, Span), String> {
    let page = Page::open(source)?;
    let indent = page.indent();
    let mut pieces: Vec<Piece> = Vec::new();
    for entry in &page.entries {
        let key = entry.key.as_text().ok_or("a key is not text")?;
        let written = page.lines(entry).of(page.text);
        let mut text = String::with_capacity(written.len() + 1);
        for line in lines(written) {
            let line = line.of(written);
            text.push_str(line.strip_prefix(indent).unwrap_or(line));
            text.push('\n');
        }
        pieces.push(Piece {
            key: key.to_owned(),
            span: entry.key.span,
            value: entry.value.clone(),
            text,
        });
    }
    Ok((pieces, page.body))
}

/// The line or lines of a key with this value, each with LF. `like` is the old value, whose form is kept.
///
/// Fails with why the dialect does not accept it.
pub(crate) fn line(
    dialect: &Dialect,
    key: &Key,
    spelling: &str,
    value: &Value,
    like: Option<&Node>,
) -> Result<String, String> {
    let value = settle(dialect, key, value, &|_| None)?;
    Ok(format!("{spelling}:{}\n", after_colon(key, &value, like)))
}
