//! Values as JSON, JavaScript and Python show them.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::decimal::Decimal;
use super::value::Value;
use crate::json::quote;

/// The value as JSON.
pub(super) fn json(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        // JavaScript has one kind of number.
        Value::Integer(value) => json(&Value::Float(Decimal::whole(*value))),
        Value::Float(Decimal::Nan | Decimal::Infinite { .. }) => "null".to_owned(),
        Value::Float(value) => value.script(),
        Value::Date(text) | Value::Text(text) => quote(text),
        Value::List(items) => list("[", items.iter().map(json), ",", "]"),
        Value::Map(entries) => {
            let entry =
                |(key, value): &(Value, Value)| format!("{}:{}", quote(&script_text(key)), json(value));
            list("{", entries.iter().map(entry), ",", "}")
        }
        Value::Tagged(value) => json(value),
    }
}

fn list(open: &str, items: impl Iterator<Item = String>, between: &str, close: &str) -> String {
    let mut text = open.to_owned();
    for (at, item) in items.enumerate() {
        if at > 0 {
            text.push_str(between);
        }
        text.push_str(&item);
    }
    text.push_str(close);
    text
}

/// The value as JavaScript's `String` shows it.
pub(super) fn script_text(value: &Value) -> String {
    match value {
        Value::Text(text) | Value::Date(text) => text.clone(),
        Value::Float(value) => value.script(),
        Value::List(items) => {
            let item = |item: &Value| match item {
                Value::Null => String::new(),
                item => script_text(item),
            };
            list("", items.iter().map(item), ",", "")
        }
        Value::Map(_) => "[object Object]".to_owned(),
        value => json(value),
    }
}

/// The value as Python's `str` shows it.
pub(super) fn python_text(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Boolean(true) => "True".to_owned(),
        Value::Boolean(false) => "False".to_owned(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => value.python(),
        Value::Date(text) | Value::Text(text) => text.clone(),
        Value::List(items) => list("[", items.iter().map(python_repr), ", ", "]"),
        Value::Map(entries) => {
            let entry =
                |(key, value): &(Value, Value)| format!("{}: {}", python_repr(key), python_repr(value));
            list("{", entries.iter().map(entry), ", ", "}")
        }
        Value::Tagged(value) => python_text(value),
    }
}

/// The value as Python's `repr` shows it.
fn python_repr(value: &Value) -> String {
    let text = match value {
        Value::Text(text) => text,
        Value::Date(date) => return python_date(date),
        value => return python_text(value),
    };
    let quote = if text.contains('\'') && !text.contains('"') {
        '"'
    } else {
        '\''
    };
    let mut shown = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if c == quote => shown.extend(['\\', c]),
            c if (c as u32) < 0x20 || (0x7f..0xa1).contains(&(c as u32)) || c == '\u{ad}' => {
                shown.push_str(&format!("\\x{:02x}", c as u32));
            }
            c => shown.push(c),
        }
    }
    shown.push(quote);
    shown
}

/// A date without a time. Those with one are shown as text, since no known file lists any.
fn python_date(date: &str) -> String {
    let parts: Option<alloc::vec::Vec<u32>> = date.split('-').map(|part| part.parse().ok()).collect();
    match parts.as_deref() {
        Some([year, month, day]) => format!("datetime.date({year}, {month}, {day})"),
        _ => format!("'{date}'"),
    }
}
