//! Nodes to values, by the shapes that a dialect's table names.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use callsheet_schema::leading_integer;

use super::{permissions, tools};
use crate::definition::{Endpoint, Permission, ToolFilter};
use crate::dialect::{Key, Shape};
use crate::reader;
use crate::yaml::{Kind, Node, Plain};

/// A value of one of the shapes.
#[derive(Debug)]
pub(super) enum Value {
    Text(String),
    Integer(i64),
    Boolean(bool),
    Tools(ToolFilter),
    Words(Vec<String>),
    Endpoint(Endpoint),
    Any(String),
    Permissions(Vec<Permission>),
}

impl Value {
    /// Its text, if it is text.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its number, if it is one.
    pub(super) fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it counts as missing where it is required: empty text and zero do.
    pub(super) fn is_blank(&self) -> bool {
        match self {
            Value::Text(text) => text.trim().is_empty(),
            Value::Integer(number) => *number == 0,
            _ => false,
        }
    }
}

/// The value of a node; none if it is empty. Fails with what the shape accepts, in words.
pub(super) fn decode(key: &Key, node: &Node, text: &str) -> Result<Option<Value>, &'static str> {
    let node = match node.items().filter(|_| key.first_of_list) {
        Some([]) => return Ok(None),
        Some([first, ..]) => first,
        None => node,
    };
    let plain = node.plain();
    if let Shape::Tools(rules) = &key.shape {
        return tools::decode(rules, key.text_items, node, text).map(|filter| Some(Value::Tools(filter)));
    }
    if plain == Some(Plain::Null) && !key.no_null {
        return Ok(None);
    }
    let value = match &key.shape {
        Shape::Text => text_value(plain).ok_or("text")?,
        Shape::Scalar => Value::Text(node.as_text().ok_or("text, a number or a boolean")?.to_owned()),
        Shape::Integer => match plain {
            Some(Plain::Integer(number)) => Value::Integer(number),
            Some(Plain::Text(text)) if key.script => {
                Value::Integer(leading_integer(text).ok_or("a whole number")?)
            }
            Some(Plain::Float) if key.script => {
                let whole = reader::json(node).and_then(|number| number.parse().ok());
                Value::Integer(whole.ok_or("a whole number")?)
            }
            _ => return Err("a whole number"),
        },
        Shape::Number => match plain {
            Some(Plain::Integer(_) | Plain::Float) => {
                Value::Any(node.as_text().unwrap_or_default().to_owned())
            }
            _ => return Err("a number"),
        },
        Shape::Switches => {
            Value::Permissions(permissions::switches(node).ok_or("a map from tools to true or false")?)
        }
        Shape::Permissions => {
            let taken = "`allow`, `ask` or `deny`, or a map from tools to these";
            Value::Permissions(permissions::rules(node).ok_or(taken)?)
        }
        Shape::Boolean => match plain {
            Some(Plain::Boolean(value)) => Value::Boolean(value),
            Some(Plain::Text("true")) if !key.unquoted => Value::Boolean(true),
            Some(Plain::Text("false")) if !key.unquoted => Value::Boolean(false),
            _ => return Err("true or false"),
        },
        Shape::Words if key.list_only && node.items().is_none() => return Err("a list"),
        Shape::Words | Shape::Spaced => Value::Words(words(key, node).ok_or("a list, or text with commas")?),
        Shape::Endpoint => endpoint(node).map(Value::Endpoint).ok_or("a map")?,
        Shape::Names if key.list_only && node.items().is_none() => {
            return Err("a list of names, and of maps with one name each");
        }
        Shape::Names => names(node).map(Value::Words).ok_or("a map, or a list of names")?,
        Shape::Any => Value::Any(verbatim(node, text)),
        Shape::Tools(_) => return Ok(None),
    };
    Ok(Some(value))
}

fn text_value(plain: Option<Plain<'_>>) -> Option<Value> {
    match plain? {
        Plain::Text(text) => Some(Value::Text(text.to_owned())),
        _ => None,
    }
}

/// The value of an empty list; none for shapes that are not lists.
pub(super) fn empty(shape: &Shape) -> Option<Value> {
    match shape {
        Shape::Tools(_) => Some(Value::Tools(ToolFilter::None)),
        Shape::Words | Shape::Spaced => Some(Value::Words(Vec::new())),
        _ => None,
    }
}

/// The items of a list, or of a text.
fn words(key: &Key, node: &Node) -> Option<Vec<String>> {
    let words = |text| key.shape.words(text).map(ToOwned::to_owned);
    match &node.kind {
        Kind::Sequence(items) => {
            let texts = items.iter();
            let texts = texts.filter_map(|node| tools::item(node, key.text_items));
            Some(if matches!(key.shape, Shape::Spaced) {
                texts.flat_map(words).collect()
            } else {
                let texts = texts.map(str::trim).filter(|text| !text.is_empty());
                texts.map(ToOwned::to_owned).collect()
            })
        }
        Kind::Scalar { .. } => Some(words(tools::item(node, key.text_items)?).collect()),
        Kind::Mapping(_) => None,
    }
}

fn endpoint(node: &Node) -> Option<Endpoint> {
    let Kind::Mapping(entries) = &node.kind else {
        return None;
    };
    let mut endpoint = Endpoint::default();
    for entry in entries {
        if let (Some(key), Some(Plain::Text(value))) = (entry.key.as_text(), entry.value.plain()) {
            endpoint.set(key, value);
        }
    }
    Some(endpoint)
}

/// The keys of a map; of a list, its text items and the keys of its maps.
fn names(node: &Node) -> Option<Vec<String>> {
    let keys = |node: &Node| -> Vec<String> {
        let keys = node.entries().iter().filter_map(|entry| entry.key.as_text());
        keys.map(ToOwned::to_owned).collect()
    };
    match &node.kind {
        Kind::Mapping(_) => Some(keys(node)),
        Kind::Sequence(items) => Some(
            items
                .iter()
                .flat_map(|item| {
                    item.as_text()
                        .map_or_else(|| keys(item), |name| alloc::vec![name.to_owned()])
                })
                .collect(),
        ),
        Kind::Scalar { .. } => None,
    }
}

fn verbatim(node: &Node, text: &str) -> String {
    node.as_text().unwrap_or_else(|| node.span.of(text)).to_owned()
}
