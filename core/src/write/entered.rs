//! Converts values as a person enters them to the type of the field.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Value;
use super::scalar::{Place, scalar};
use crate::decode;
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Dialect, Key, Shape, ToolShape, ToolText};
use crate::yaml::{Kind, Node, Plain, read};

/// The value. Fails with why the field does not accept it.
pub(super) fn understand(dialect: &Dialect, key: &Key, text: &str) -> Result<Value, String> {
    let takes = |what: &str| {
        let (spelling, id) = (key.written(), &dialect.id);
        format!("`{spelling}` is `{text}`, but {id} takes {what}")
    };
    match &key.shape {
        Shape::Text => Ok(Value::Text(text.to_owned())),
        Shape::Scalar => Ok(match text.trim().parse() {
            Ok(value) => Value::Boolean(value),
            Err(_) => Value::Text(text.to_owned()),
        }),
        Shape::Integer => text
            .trim()
            .parse()
            .map(Value::Integer)
            .map_err(|_| takes("a whole number")),
        Shape::Boolean => text
            .trim()
            .parse()
            .map(Value::Boolean)
            .map_err(|_| takes("true or false")),
        Shape::Number => node(text)
            .filter(|node| matches!(node.plain(), Some(Plain::Integer(_) | Plain::Float)))
            .map(Value::Yaml)
            .ok_or_else(|| takes("a number")),
        Shape::Switches => yaml(text)
            .or_else(|| yaml(&switches(text)))
            .ok_or_else(|| takes("a list of tools")),
        Shape::Permissions => yaml(text).ok_or_else(|| takes("a map such as `{bash: deny}`")),
        Shape::Tools(shape) => Ok(Value::Tools(filter(shape, text.trim()))),
        Shape::Words | Shape::Spaced => Ok(words(&key.shape, text)),
        Shape::Endpoint => yaml(text).ok_or_else(|| takes("a map such as `{base_url: https://example.org}`")),
        Shape::Names => Ok(yaml(text).unwrap_or_else(|| words(&key.shape, text))),
        Shape::Any => Ok(yaml(text).unwrap_or_else(|| Value::Text(text.to_owned()))),
    }
}

fn filter(shape: &ToolShape, text: &str) -> ToolFilter {
    if text.is_empty() {
        ToolFilter::None
    } else if text == "*" || shape.all.iter().any(|word| word == text) {
        ToolFilter::All
    } else {
        ToolFilter::Only(match shape.text {
            ToolText::Words | ToolText::Spaces => listed(text, decode::words),
            _ => tools(text),
        })
    }
}

/// The tools of a comma-separated list, which may be written in YAML.
pub(crate) fn tools(text: &str) -> Vec<ToolRule> {
    listed(text, decode::rules)
}

fn listed(text: &str, split: impl Fn(&str) -> Vec<ToolRule>) -> Vec<ToolRule> {
    let list = node(text).filter(|_| text.starts_with('['));
    match list.as_ref().and_then(Node::items) {
        Some(items) => items
            .iter()
            .filter_map(Node::as_text)
            .flat_map(decode::rules)
            .collect(),
        None => split(text),
    }
}

/// A list of tools as a map: the last entry that matches a tool counts.
fn switches(text: &str) -> String {
    if text.trim() == "*" {
        return String::from("{\"*\": true}");
    }
    let tools = text.split(',').map(str::trim).filter(|tool| !tool.is_empty());
    let mut map = String::from("{\"*\": false");
    for tool in tools {
        map.push_str(", ");
        map.push_str(&scalar(tool, Place::Flow));
        map.push_str(": true");
    }
    map + "}"
}

fn words(shape: &Shape, text: &str) -> Value {
    Value::Words(shape.words(text).map(ToOwned::to_owned).collect())
}

fn node(text: &str) -> Option<Node> {
    read(text, 0).ok()?.root
}

/// A list or a map.
fn yaml(text: &str) -> Option<Value> {
    let root = node(text)?;
    (!matches!(root.kind, Kind::Scalar { .. })).then_some(Value::Yaml(root))
}
