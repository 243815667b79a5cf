//! A file to edit: the places of its keys and values.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::target::last;
use crate::decode::value_span;
use crate::frontmatter::{next_line, split};
use crate::limits::FRONTMATTER_BYTES;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::{Entry, Kind, Node, Plain, read};

/// A file whose frontmatter is a YAML map with one key per line, as all editing requires.
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    /// The keys in file order, duplicates included.
    pub(super) entries: Vec<Entry>,
    /// The text after the closing fence.
    pub(super) body: Span,
    /// Where the first key would be.
    top: usize,
    /// Where the closing fence is.
    bottom: usize,
}

impl<'a> Page<'a> {
    /// Fails with why the file cannot be edited.
    pub(super) fn open(source: &'a Source<'_>) -> Result<Self, String> {
        let text = &*source.text;
        let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
        let parts = split(text, start);
        let frontmatter = parts.frontmatter.ok_or("it has no frontmatter")?;
        if frontmatter.oddity.is_some() {
            return Err("its frontmatter is not between two lines of `---`".into());
        }
        let yaml = frontmatter.yaml;
        if yaml.of(text).len() > FRONTMATTER_BYTES {
            return Err("its frontmatter is too long".into());
        }
        let document = read(yaml.of(text), yaml.start.index());
        let document = document.map_err(|error| format!("its YAML is invalid: {}", error.message))?;
        let entries = match document.root {
            None => Vec::new(),
            Some(root) if is_flow(text, &root) => return Err("its fields are in braces".into()),
            Some(root) => match root.kind {
                Kind::Mapping(entries) => entries,
                _ => {
                    return Err(format!(
                        "its frontmatter is {}, not a map of keys",
                        root.describe()
                    ));
                }
            },
        };
        Ok(Self {
            text,
            entries,
            body: parts.body,
            top: yaml.start.index(),
            bottom: yaml.end.index(),
        })
    }

    /// Where the value of an entry is, or the tag or anchor before an empty value.
    pub(super) fn value(&self, entry: &Entry) -> Span {
        let span = value_span(self.text, entry);
        if !span.is_empty() {
            return span;
        }
        let rest = &self.text[span.start.index()..self.line_end(span.start.index())];
        let rest = rest.split_once(" #").map_or(rest, |(before, _)| before);
        let start = span.start.index() + (rest.len() - rest.trim_start().len());
        match rest.trim() {
            header if header.is_empty() || header.starts_with('#') => span,
            header => Span::new(start, start + header.len()),
        }
    }

    /// The end of an entry's colon.
    pub(super) fn colon(&self, entry: &Entry) -> usize {
        let end = entry.key.span.end.index();
        self.text[end..self.bottom]
            .find(':')
            .map_or(end, |at| end + at + 1)
    }

    /// The lines of an entry, including a trailing comment.
    pub(super) fn lines(&self, entry: &Entry) -> Span {
        let value = match entry.value.plain() {
            // An empty value has no place of its own.
            Some(Plain::Null) => self.value(entry).end,
            _ => self.value(entry).end.max(entry.value.span.end),
        };
        let end = value.index().max(self.colon(entry));
        Span::new(
            self.line_start(entry.key.span.start.index()),
            self.line_after(end),
        )
    }

    /// Where the next line starts, or `index` if one starts there.
    pub(super) fn line_after(&self, index: usize) -> usize {
        let index = index.min(self.bottom);
        if self.text[..index].ends_with(['\n', '\r']) {
            index
        } else {
            next_line(self.text, index).min(self.bottom)
        }
    }

    /// Where the line with `index` starts.
    pub(super) fn line_start(&self, index: usize) -> usize {
        let end = self.text[..index].rfind(['\n', '\r']);
        end.map_or(self.top, |at| at + 1)
    }

    /// Where the line with `index` ends.
    pub(super) fn line_end(&self, index: usize) -> usize {
        self.text[index..]
            .find(['\n', '\r'])
            .map_or(self.bottom, |at| index + at)
    }

    /// The place of a key after the nearest existing one of `before`.
    pub(super) fn place_after<'b>(&self, mut before: impl Iterator<Item = &'b str>) -> usize {
        let nearest = before.find_map(|spelling| last(&self.entries, spelling));
        match (nearest, self.entries.first()) {
            (Some(entry), _) => self.lines(entry).end.index(),
            (None, Some(first)) => self.lines(first).start.index(),
            (None, None) => self.top,
        }
    }

    /// The indentation of every key.
    pub(super) fn indent(&self) -> &'a str {
        let first = self.entries.first().map(|entry| entry.key.span.start.index());
        let before = first.map_or("", |at| &self.text[self.line_start(at)..at]);
        if before.trim().is_empty() { before } else { "" }
    }

    /// Its line end.
    pub(super) fn newline(&self) -> &'static str {
        self.newline_before(self.top).unwrap_or("\n")
    }

    /// The line end before `index`, if there is one.
    pub(super) fn newline_before(&self, index: usize) -> Option<&'static str> {
        let newlines = ["\r\n", "\n", "\r"];
        let before = &self.text[..index];
        newlines.into_iter().find(|newline| before.ends_with(newline))
    }
}

/// Whether a list or a map is in brackets.
pub(super) fn is_flow(text: &str, node: &Node) -> bool {
    text[node.span.start.index()..].starts_with(['[', '{'])
}
