//! Values as another dialect writes them, and as a report shows them.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::dialect::{EntryFill, Key, Shape};
use crate::span::Span;
use crate::write::Value;
use crate::yaml::{Entry, Kind, Node, Plain};

/// The longest part of a value that a report shows.
const SHOWN: usize = 60;

/// The names in a list of names and maps.
pub(super) fn listed(node: &Node) -> impl Iterator<Item = &str> {
    node.items().unwrap_or_default().iter().filter_map(Node::as_text)
}

/// A map by name, also of a list of names and maps; none if it is empty.
fn entries(node: &Node) -> Option<Node> {
    let Kind::Sequence(items) = &node.kind else {
        return matches!(node.kind, Kind::Mapping(_)).then(|| node.clone());
    };
    let entries: Vec<Entry> = items.iter().flat_map(Node::entries).cloned().collect();
    (!entries.is_empty()).then(|| Node {
        kind: Kind::Mapping(entries),
        ..node.clone()
    })
}

/// The value with what each of its entries requires.
pub(super) fn with_entry_fills(key: &Key, value: Value) -> Value {
    let Value::Yaml(mut node) = value else {
        return value;
    };
    if let Kind::Mapping(entries) = &mut node.kind {
        for entry in entries {
            if let Kind::Mapping(fields) = &mut entry.value.kind {
                key.entry_fills.iter().for_each(|fill| fill_in(fields, fill));
            }
        }
    }
    Value::Yaml(node)
}

fn fill_in(fields: &mut Vec<Entry>, fill: &EntryFill) {
    let has = |key: &str| fields.iter().any(|field| field.key.as_text() == Some(key));
    if fill.omit && has(&fill.beside) {
        return fields.retain(|field| field.key.as_text() != Some(&fill.key));
    }
    if fill.omit || has(&fill.key) || !fill.beside.is_empty() && !has(&fill.beside) {
        return;
    }
    let text = |text: &String| Node::text(text, Span::default());
    let value = fill.text.as_ref().map_or_else(
        || Node {
            kind: Kind::Sequence(fill.items.iter().map(text).collect()),
            span: Span::default(),
            tag: None,
        },
        text,
    );
    fields.push(Entry {
        key: text(&fill.key),
        value,
    });
}

/// A value as text; none for a tree.
pub(super) fn said(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) | Value::Entered(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(value) => Some(value.to_string()),
        Value::Words(words) => Some(words.join(", ")),
        Value::Yaml(_) | Value::Tools(_) => None,
    }
}

/// A node as a value of a shape.
pub(super) fn value(shape: &Shape, node: &Node) -> Option<Value> {
    let text = || node.as_text().map(ToString::to_string);
    match shape {
        Shape::Text | Shape::Scalar => text().map(Value::Text),
        Shape::Integer => match node.plain()? {
            Plain::Integer(number) => Some(Value::Integer(number)),
            _ => None,
        },
        Shape::Boolean => match node.plain()? {
            Plain::Boolean(value) => Some(Value::Boolean(value)),
            Plain::Text(word) => word.parse().map(Value::Boolean).ok(),
            _ => None,
        },
        Shape::Number => {
            let number = matches!(node.plain()?, Plain::Integer(_) | Plain::Float);
            number.then(|| Value::Yaml(node.clone()))
        }
        Shape::Words | Shape::Spaced => match &node.kind {
            Kind::Sequence(items) => {
                let texts: Option<Vec<&str>> = items.iter().map(Node::as_text).collect();
                let words = texts?.into_iter().flat_map(|text| match shape {
                    Shape::Spaced => shape.words(text).map(ToOwned::to_owned).collect(),
                    _ => alloc::vec![text.to_owned()],
                });
                Some(Value::Words(words.collect()))
            }
            Kind::Scalar { text, .. } => {
                let words = shape.words(text).map(ToOwned::to_owned);
                Some(Value::Words(words.collect()))
            }
            Kind::Mapping(_) => None,
        },
        Shape::Names => entries(node).map(Value::Yaml),
        Shape::Endpoint | Shape::Any => Some(Value::Yaml(node.clone())),
        Shape::Tools(_) | Shape::Switches | Shape::Permissions => None,
    }
}

/// A value for a report: its first line, cut where it is long.
pub(super) fn shown(value: &str) -> String {
    let line = value.trim().lines().next().unwrap_or_default();
    let whole = line.len() == value.trim().len() && line.chars().count() <= SHOWN;
    if whole {
        return line.to_owned();
    }
    let mut cut: String = line.chars().take(SHOWN - 1).collect();
    cut.push('\u{2026}');
    cut
}
