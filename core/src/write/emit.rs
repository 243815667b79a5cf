//! Values as YAML.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Value;
use super::scalar::{Place, scalar, scalar_like};
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Key, Shape, ToolShape, ToolText};
use crate::yaml::{Entry, Kind, Node, Plain};

/// The longest list on one line.
const LINE: usize = 80;

/// The text after the colon of a key, without the last line end: on the same line after a space, else on lines of its own.
///
/// `like` is the old value, whose quotes and form are kept.
pub(super) fn after_colon(key: &Key, value: &Value, like: Option<&Node>) -> String {
    let column = key.written().len() + 1;
    match value {
        Value::Text(text) | Value::Entered(text) => text_like(text, like),
        Value::Integer(number) => format!(" {number}"),
        Value::Boolean(value) => format!(" {value}"),
        Value::Words(words) => list(column, words),
        Value::Tools(filter) => match &key.shape {
            Shape::Tools(shape) => tools(column, shape, filter, like),
            _ => String::new(),
        },
        Value::Yaml(node) => yaml(node),
    }
}

/// The same for an unknown key.
pub(super) fn text_like(text: &str, like: Option<&Node>) -> String {
    let scalar = match like.map(|node| &node.kind) {
        Some(Kind::Scalar { style, .. }) => scalar_like(text, *style),
        _ => scalar(text, Place::Block),
    };
    format!(" {scalar}")
}

/// The items of a value that is written as a list.
pub(super) fn items(value: &Value) -> Vec<String> {
    match value {
        Value::Words(words) => words.clone(),
        Value::Tools(ToolFilter::Only(rules)) => rules.iter().map(ToolRule::written).collect(),
        _ => Vec::new(),
    }
}

fn tools(column: usize, shape: &ToolShape, filter: &ToolFilter, like: Option<&Node>) -> String {
    let rules = match filter {
        ToolFilter::Absent | ToolFilter::Null => return String::new(),
        ToolFilter::All => {
            let star = shape.all.iter().find(|word| *word == "*");
            let word = star.or(shape.all.first()).map_or("", |word| word);
            return match shape.text {
                ToolText::Never => list(column, &[word.to_string()]),
                _ => text_like(word, like),
            };
        }
        ToolFilter::None => &[],
        ToolFilter::Only(rules) => rules.as_slice(),
    };
    let words: Vec<String> = rules.iter().map(ToolRule::written).collect();
    let is_text = |node: &Node| matches!(node.plain(), Some(Plain::Text(_)));
    let has_commas = matches!(shape.text, ToolText::Commas | ToolText::Spaces);
    let stays_text = has_commas && like.is_some_and(is_text);
    match (words.is_empty(), shape.list) {
        // Some readers take empty text as absent; a lone comma is read as empty.
        (true, false) => " \",\"".to_string(),
        (true, true) => " []".to_string(),
        (false, true) if !shape.write_text && !stays_text => list(column, &words),
        (false, _) => {
            let spaced = shape.write_text && shape.text == ToolText::Words;
            text_like(&words.join(if spaced { " " } else { ", " }), like)
        }
    }
}

/// ` [a, b]`, or one item per line if that gets too long.
fn list(column: usize, items: &[String]) -> String {
    let flow: Vec<String> = items.iter().map(|item| scalar(item, Place::Flow)).collect();
    let line = format!(" [{}]", flow.join(", "));
    if column + line.chars().count() <= LINE {
        return line;
    }
    let mut lines = String::new();
    for item in items {
        lines.push_str("\n  - ");
        lines.push_str(&scalar(item, Place::Block));
    }
    lines
}

fn yaml(value: &Node) -> String {
    let mut out = String::new();
    after_indicator(value, 0, &mut out);
    out.truncate(out.trim_end_matches('\n').len());
    out
}

/// A line for each key, or more for a nested value.
pub(super) fn keys(entries: &[Entry], out: &mut String) {
    entries.iter().for_each(|entry| map_entry(entry, 0, out));
}

/// The text after `key:` or `-`, with the line end.
fn after_indicator(value: &Node, indent: usize, out: &mut String) {
    if let Some(tag) = &value.tag {
        out.push(' ');
        out.push_str(tag);
    }
    match &value.kind {
        Kind::Mapping(entries) if entries.is_empty() => out.push_str(" {}\n"),
        Kind::Sequence(items) if items.is_empty() => out.push_str(" []\n"),
        Kind::Mapping(entries) => {
            out.push('\n');
            for entry in entries {
                map_entry(entry, indent + 2, out);
            }
        }
        Kind::Sequence(items) => {
            out.push('\n');
            for item in items {
                start_line(indent + 2, out);
                out.push('-');
                list_item(item, indent + 2, out);
            }
        }
        Kind::Scalar { text, .. } => {
            out.push(' ');
            out.push_str(&plain(value, text));
            out.push('\n');
        }
    }
}

/// The text after `-`: a map starts on the same line.
fn list_item(item: &Node, indent: usize, out: &mut String) {
    let Some((first, others)) = item.entries().split_first().filter(|_| item.tag.is_none()) else {
        return after_indicator(item, indent, out);
    };
    out.push(' ');
    key_and_value(first, indent + 2, out);
    for entry in others {
        map_entry(entry, indent + 2, out);
    }
}

fn map_entry(entry: &Entry, indent: usize, out: &mut String) {
    start_line(indent, out);
    key_and_value(entry, indent, out);
}

fn key_and_value(entry: &Entry, indent: usize, out: &mut String) {
    out.push_str(&plain(&entry.key, entry.key.as_text().unwrap_or_default()));
    out.push(':');
    after_indicator(&entry.value, indent, out);
}

fn start_line(indent: usize, out: &mut String) {
    out.extend(core::iter::repeat_n(' ', indent));
}

/// A scalar in the spelling that all schemas share.
fn plain(node: &Node, text: &str) -> String {
    match node.plain() {
        Some(Plain::Null) => "null".to_string(),
        Some(Plain::Boolean(value)) => value.to_string(),
        Some(Plain::Integer(number)) => number.to_string(),
        Some(Plain::Float) => text.to_string(),
        _ => scalar(text, Place::Block),
    }
}
