//! The spanned tree.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::scalar::{Plain, Style};
use crate::span::Span;

/// One key with its value. A mapping keeps them in file order, duplicates included.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Node,
    /// The value.
    pub value: Node,
}

/// The kind of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A scalar.
    Scalar {
        /// Its text, after escapes and folding.
        text: String,
        /// Its style.
        style: Style,
    },
    /// A list.
    Sequence(Vec<Node>),
    /// A map.
    Mapping(Vec<Entry>),
}

/// A value with its place. Tags are kept as data, without effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its kind.
    pub kind: Kind,
    /// Where it is. A block scalar's span starts at its text, not at its `|`.
    pub span: Span,
    /// Its tag, if it has one.
    pub tag: Option<String>,
}

impl Node {
    /// A scalar that is always text, like a quoted one.
    pub fn text(text: impl Into<String>, span: Span) -> Self {
        Self::scalar(text.into(), Style::DoubleQuoted, span)
    }

    pub(crate) fn scalar(text: String, style: Style, span: Span) -> Self {
        Self {
            kind: Kind::Scalar { text, style },
            span,
            tag: None,
        }
    }

    /// The meaning of a scalar in the YAML 1.2 core schema; none for lists and maps.
    pub fn plain(&self) -> Option<Plain<'_>> {
        match &self.kind {
            Kind::Scalar { text, style } => Some(Plain::of(text, *style)),
            Kind::Sequence(_) | Kind::Mapping(_) => None,
        }
    }

    /// The number of values, itself and keys included.
    pub(crate) fn count(&self) -> usize {
        1 + match &self.kind {
            Kind::Scalar { .. } => 0,
            Kind::Sequence(items) => items.iter().map(Self::count).sum(),
            Kind::Mapping(entries) => entries
                .iter()
                .map(|entry| entry.key.count() + entry.value.count())
                .sum(),
        }
    }

    /// The entries of a map; none of anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The last value of a key that is text; YAML readers that accept duplicates take the last.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let entries = self.entries().iter().rev();
        entries
            .filter(|entry| entry.key.as_text() == Some(key))
            .map(|entry| &entry.value)
            .next()
    }

    /// The entries, and whether each counts: of those with one key, only the last does.
    pub(crate) fn counted(&self) -> impl Iterator<Item = (&Entry, bool)> {
        let entries = || self.entries().iter().enumerate();
        let last: BTreeMap<_, usize> = entries()
            .map(|(number, entry)| (entry.key.as_text(), number))
            .collect();
        entries().map(move |(number, entry)| (entry, last.get(&entry.key.as_text()) == Some(&number)))
    }

    /// A scalar's text as written.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The style of a scalar; none for lists and maps.
    pub fn style(&self) -> Option<Style> {
        match &self.kind {
            Kind::Scalar { style, .. } => Some(*style),
            _ => None,
        }
    }

    /// Whether it is a plain scalar.
    pub fn is_plain(&self) -> bool {
        self.style() == Some(Style::Plain)
    }

    /// Applies `to` to every span.
    pub(crate) fn map_spans(&mut self, to: &dyn Fn(Span) -> Span) {
        self.span = to(self.span);
        match &mut self.kind {
            Kind::Scalar { .. } => {}
            Kind::Sequence(items) => items.iter_mut().for_each(|item| item.map_spans(to)),
            Kind::Mapping(entries) => {
                for entry in entries {
                    entry.key.map_spans(to);
                    entry.value.map_spans(to);
                }
            }
        }
    }

    /// Its kind, for messages: `a list`, `a number`.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Sequence(_) => "a list",
            Kind::Mapping(_) => "a map",
            Kind::Scalar { .. } => match self.plain() {
                Some(Plain::Null) => "empty",
                Some(Plain::Boolean(_)) => "a boolean",
                Some(Plain::Integer(_) | Plain::Float) => "a number",
                _ => "text",
            },
        }
    }
}
