//! Values as YAML.

use alloc::format;
use alloc::string::{String, ToString};

use super::scalar::{Place, scalar};
use crate::yaml::{Entry, Kind, Node, Plain};

/// The longest line that a list is written on.
const LINE: usize = 80;

/// `key: [a, b]`, or one item a line where that gets too long.
pub(super) fn list<'a>(key: &str, items: impl Iterator<Item = &'a str> + Clone) -> String {
    let mut line = format!("{key}: [");
    for (at, item) in items.clone().enumerate() {
        line.push_str(if at > 0 { ", " } else { "" });
        line.push_str(&scalar(item, Place::Flow));
    }
    line.push_str("]\n");
    if line.chars().count() <= LINE {
        return line;
    }
    let mut lines = format!("{key}:\n");
    for item in items {
        lines.push_str("  - ");
        lines.push_str(&scalar(item, Place::Block));
        lines.push('\n');
    }
    lines
}

/// `key: value`, over several lines where the value is a map or a list.
pub(super) fn node(key: &str, value: &Node, out: &mut String) {
    out.push_str(key);
    out.push(':');
    after_indicator(value, 0, out);
}

/// What follows `key:` or `-`, with the line end.
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

/// What follows `-`: a map begins on the same line.
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
