//! Qwen Code's fallback for frontmatter that is not valid YAML: keys, lists and maps of one level, line by line.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::decimal::Decimal;
use super::value::Value;
use crate::dialect::edition::Blanks;

/// The prefix of a list item.
const ITEM: &str = "  - ";
const INDENT: &str = "  ";

/// The container of the current lines.
enum Open {
    Nothing,
    /// The items of the key before them, if it had no value.
    List(String, Vec<Value>),
    Map(String, Vec<(Value, Value)>),
}

/// The values of a text. This never fails.
pub(super) fn values(text: &str) -> Value {
    let trim = |line: &str| Blanks::EcmaScript.trim(line).to_owned();
    let is_content = |line: &&str| {
        let line = trim(line);
        !line.is_empty() && !line.starts_with('#')
    };
    let mut lines = text.split('\n').filter(is_content).peekable();
    let mut entries: Vec<(Value, Value)> = Vec::new();
    let mut open = Open::Nothing;
    // The last key without a value.
    let mut waiting = String::new();
    while let Some(line) = lines.next() {
        if let Some(item) = line.strip_prefix(ITEM) {
            let item = scalar(Blanks::EcmaScript.trim(item));
            match &mut open {
                Open::List(_, items) => items.push(item),
                Open::Nothing => open = Open::List(core::mem::take(&mut waiting), alloc::vec![item]),
                Open::Map(_, map) => {
                    let (key, value) = pair(line);
                    put(map, &key, scalar(&value));
                }
            }
            continue;
        }
        if let Open::List(..) = open {
            close(&mut open, &mut entries);
        }
        if let Open::Map(_, map) = &mut open
            && line.starts_with(INDENT)
        {
            let (key, value) = pair(line);
            put(map, &key, scalar(&value));
            continue;
        }
        close(&mut open, &mut entries);
        if !line.contains(':') {
            continue;
        }
        let (key, value) = pair(line);
        if !value.is_empty() {
            put(&mut entries, &key, scalar(&value));
            continue;
        }
        let next = lines.peek().filter(|next| next.starts_with(INDENT));
        match next {
            Some(next) if !next.starts_with(ITEM) => open = Open::Map(key, Vec::new()),
            _ => waiting = key,
        }
    }
    close(&mut open, &mut entries);
    Value::Map(entries)
}

fn close(open: &mut Open, entries: &mut Vec<(Value, Value)>) {
    match core::mem::replace(open, Open::Nothing) {
        Open::Nothing => {}
        Open::List(key, items) => put(entries, &key, Value::List(items)),
        Open::Map(key, map) => put(entries, &key, Value::Map(map)),
    }
}

fn pair(line: &str) -> (String, String) {
    let trim = |part: &str| Blanks::EcmaScript.trim(part).to_owned();
    let (key, value) = line.split_once(':').unwrap_or((line, ""));
    (trim(key), trim(value))
}

fn put(entries: &mut Vec<(Value, Value)>, key: &str, value: Value) {
    let key = Value::Text(key.to_owned());
    match entries.iter_mut().find(|(known, _)| *known == key) {
        Some((_, known)) => *known = value,
        None => entries.push((key, value)),
    }
}

fn scalar(text: &str) -> Value {
    match text {
        "true" => return Value::Boolean(true),
        "false" => return Value::Boolean(false),
        "null" => return Value::Null,
        _ => {}
    }
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(inner) = inner {
        return Value::Text(inner.replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    number(text).unwrap_or_else(|| Value::Text(text.to_string()))
}

/// JavaScript's `Number` of a text, if it is finite.
fn number(text: &str) -> Option<Value> {
    for (radix, prefixes) in [(16, ["0x", "0X"]), (8, ["0o", "0O"]), (2, ["0b", "0B"])] {
        let digits = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix));
        if let Some(digits) = digits {
            let plain = digits.chars().all(|c| c.is_digit(radix));
            return plain.then(|| i128::from_str_radix(digits, radix).ok().map(Value::Integer))?;
        }
    }
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
    let number = text.starts_with(begins).then(|| Decimal::parse(text))??;
    matches!(number, Decimal::Finite { .. }).then_some(Value::Float(number))
}
