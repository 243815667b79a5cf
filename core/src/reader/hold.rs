//! What a release holds of a key that is text.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::keys::{Keyed, Keys};
use super::show::{json, python_text, script_text};
use super::value::Value;
use crate::dialect::edition::{Blanks, Takes, TextRule};
use crate::yaml::Style;

/// The characters that Unicode's form NFKC turns into a colon, or into text with one.
pub(crate) const COLONS: [char; 5] = [':', '\u{2a74}', '\u{fe13}', '\u{fe55}', '\u{ff1a}'];

/// A value as a program holds it.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// Text.
    Text(String),
    /// Something else, as JSON, and its kind: `null`, `boolean`, `number`, `date`, `list` or `map`.
    Other {
        /// The value as JSON; a date is a text.
        json: String,
        /// Its kind.
        kind: &'static str,
    },
}

impl Held {
    fn of(value: &Value) -> Self {
        let kind = match value {
            Value::Text(text) => return Self::Text(text.clone()),
            Value::Null => "null",
            Value::Boolean(_) => "boolean",
            Value::Integer(_) | Value::Float(_) => "number",
            Value::Date(_) => "date",
            Value::List(_) => "list",
            Value::Map(_) => "map",
            Value::Tagged(value) => return Self::of(value),
        };
        let json = json(value);
        Self::Other { json, kind }
    }

    /// The value, for display.
    pub fn shown(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Other { json, .. } => json,
        }
    }
}

/// The held value; none if there is none; or why the file is dropped.
pub(super) fn text(rule: &TextRule, keys: &Keys<'_>, stem: &str, body: &str) -> Result<Option<Held>, String> {
    let taken = match keys.find(&rule.keys, rule.next) {
        Some(value) => take(rule, value)?,
        None => None,
    };
    let held = match taken {
        Some(Held::Text(text)) if text.is_empty() && rule.empty_is_missing => None,
        Some(Held::Text(text)) if !rule.one_of.is_empty() && !rule.one_of.contains(&text) => None,
        taken => taken,
    };
    match held {
        Some(held) => check(rule, held).map(Some),
        None if !rule.missing.is_empty() => Err(rule.missing.clone()),
        None if rule.stem => Ok(Some(Held::Text(stem.to_owned()))),
        None if rule.first_paragraph => Ok(Some(Held::Text(first_paragraph(body)))),
        None => Ok((!rule.default.is_empty()).then(|| Held::Text(rule.default.clone()))),
    }
}

fn take(rule: &TextRule, Keyed { value, node }: Keyed<'_>) -> Result<Option<Held>, String> {
    let written = || node.and_then(|node| node.as_text());
    let is_null = *value == Value::Null && node.is_none_or(|node| node.style() == Some(Style::Plain));
    let held = match rule.takes {
        Takes::Anything => Some(Held::of(value)),
        Takes::Text => value.untagged().text().map(|text| Held::Text(text.to_owned())),
        Takes::Truthy | Takes::Includes if !value.is_truthy() => return Ok(None),
        Takes::Truthy => Some(Held::of(value)),
        Takes::Includes => matches!(value, Value::Text(_) | Value::List(_)).then(|| Held::of(value)),
        Takes::WrittenOrNull if is_null => return Ok(None),
        Takes::Written | Takes::WrittenOrNull => written().map(|text| Held::Text(text.to_owned())),
        Takes::PythonTextOrNull | Takes::ScriptTextOrNull if *value == Value::Null => return Ok(None),
        Takes::ScriptTextOrNull => Some(Held::Text(script_text(value))),
        Takes::TextOrFirst => {
            let first = match value {
                Value::List(items) => items.first(),
                value => Some(value),
            };
            let text = first.and_then(Value::text);
            text.map(|text| Held::Text(text.to_owned()))
        }
        Takes::PythonText | Takes::PythonTextOrNull => Some(Held::Text(python_text(value))),
    };
    match held {
        Some(Held::Text(text)) => Ok(Some(Held::Text(changed(rule, text)))),
        None if !rule.wrong.is_empty() => Err(rule.wrong.clone()),
        held => Ok(held),
    }
}

fn changed(rule: &TextRule, mut text: String) -> String {
    if rule.unescaped && text.contains("\\n") {
        text = text.replace("\\n", "\n");
    }
    if rule.trimmed {
        text = Blanks::EcmaScript.trim(&text).to_owned();
    }
    if rule.one_line {
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    text
}

fn check(rule: &TextRule, held: Held) -> Result<Held, String> {
    let Held::Text(text) = &held else {
        let refused = !rule.only_text.is_empty();
        return if refused {
            Err(rule.only_text.clone())
        } else {
            Ok(held)
        };
    };
    let too_long =
        |longest: u32| text.len() > longest as usize && text.encode_utf16().count() > longest as usize;
    if rule.longest.is_some_and(too_long) {
        return Err(rule.too_long.clone());
    }
    if !rule.several_lines.is_empty() && text.contains('\n') {
        return Err(rule.several_lines.clone());
    }
    if !rule.no_colon.is_empty() && text.contains(COLONS) {
        return Err(rule.no_colon.clone());
    }
    Ok(held)
}

/// The first lines of text that are not headings.
fn first_paragraph(body: &str) -> String {
    let is_text = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let lines = body.lines().map(str::trim).skip_while(|line| !is_text(line));
    lines.take_while(is_text).collect::<Vec<_>>().join(" ")
}

/// The kind of a value, for messages.
pub(super) fn kind(value: &Value) -> String {
    match Held::of(value) {
        Held::Text(_) => "text".to_owned(),
        Held::Other { kind: "null", .. } => "null".to_owned(),
        Held::Other { kind, .. } => format!("a {kind}"),
    }
}
