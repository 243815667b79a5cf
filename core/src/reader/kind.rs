//! Kinds of values that a schema requires.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;

use super::hold::kind;
use super::value::Value;
use crate::dialect::edition::ValueKind;
use crate::reader::decimal::Decimal;

/// Whether a value is of this kind.
fn is(value: &Value, kind: ValueKind) -> bool {
    let is_text = |value: &Value| matches!(value, Value::Text(_));
    match (kind, value) {
        (ValueKind::Words, Value::Text(text)) => !text.trim().is_empty(),
        (ValueKind::Number | ValueKind::Finite | ValueKind::Whole, Value::Integer(_))
        | (ValueKind::Boolean, Value::Boolean(_))
        | (ValueKind::Text | ValueKind::TextOrTexts, Value::Text(_))
        | (ValueKind::List, Value::List(_))
        | (ValueKind::Map, Value::Map(_)) => true,
        (ValueKind::Number, Value::Float(number)) => *number != Decimal::Nan,
        (ValueKind::Finite, Value::Float(number)) => matches!(number, Decimal::Finite { .. }),
        (ValueKind::Whole, Value::Float(number)) => number.is_whole(),
        (ValueKind::Count, Value::Integer(number)) => *number > 0,
        (ValueKind::Count, Value::Float(number)) => number.is_whole() && number.is_positive(),
        (ValueKind::Texts | ValueKind::TextOrTexts, Value::List(items)) => items.iter().all(is_text),
        (ValueKind::TextMap, Value::Map(entries)) => entries.iter().all(|(_, value)| is_text(value)),
        _ => false,
    }
}

/// Why a value at a path is refused, if it is.
pub(super) fn expect(path: &str, value: &Value, expected: ValueKind) -> Result<(), String> {
    if is(value, expected) {
        return Ok(());
    }
    let got = match (expected, value) {
        (ValueKind::Texts, Value::List(_)) => "one with other items".to_owned(),
        (ValueKind::TextMap, Value::Map(_)) => "one with other values".to_owned(),
        _ => kind(value),
    };
    Err(format!("{path}: expected {}, got {got}", expected.words()))
}

/// Checks the kinds of a map's values that are present.
pub(super) fn expect_each(path: &str, map: &Value, keys: &[(&str, ValueKind)]) -> Result<(), String> {
    keys.iter().try_for_each(|(key, kind)| match map.get(key) {
        Some(value) => expect(&format!("{path}.{key}"), value, *kind),
        None => Ok(()),
    })
}

/// Whether a map has no other keys than these.
pub(super) fn expect_only(map: &Value, known: &[impl AsRef<str>]) -> Result<(), String> {
    let is_known = |key: &Value| {
        let text = key.text();
        text.is_some_and(|text| known.iter().any(|known| known.as_ref() == text))
    };
    match map.entries().iter().find(|(key, _)| !is_known(key)) {
        Some((key, _)) => Err(format!("unknown key `{}`", super::show::script_text(key))),
        None => Ok(()),
    }
}

/// Whether a value is one of these words.
pub(super) fn expect_word(path: &str, value: &Value, words: &[impl AsRef<str>]) -> Result<(), String> {
    let is = |text: &str| words.iter().any(|word| word.as_ref() == text);
    if value.text().is_some_and(is) {
        return Ok(());
    }
    let mut list = String::new();
    for word in words {
        list.push_str(if list.is_empty() { "" } else { ", " });
        list.push_str(word.as_ref());
    }
    let got = match value {
        Value::Text(text) => format!("`{text}`"),
        value => kind(value),
    };
    Err(format!("{path}: expected one of {list}, got {got}"))
}
