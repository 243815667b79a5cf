//! A JSON document as a short text for review: without what is empty, findings and places on one line.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The longest value on one line.
const WIDTH: usize = 130;

/// The text of a document; none if it is not a JSON object, or is in a format of other programs.
pub fn of_document(text: &str) -> Option<String> {
    let document: Value = serde_json::from_str(text).ok()?;
    let fields = document
        .as_object()
        .filter(|fields| !fields.contains_key("$schema"))?;
    let contents = fields
        .iter()
        .filter(|(key, _)| !["version", "command"].contains(&&***key));
    let contents = contents.map(|(key, value)| (key.clone(), value.clone()));
    Some(of_value(&Value::Object(contents.collect())))
}

/// The text of a value, one field or item on a line where that is short enough.
pub fn of_value(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = with_place(fields);
            let fields = fields.iter().filter(|(_, value)| !is_empty(value));
            fields
                .map(|(key, value)| format!("{key}:{}\n", after(value)))
                .collect()
        }
        Value::Array(items) => {
            let item = |item: &Value| match item {
                Value::Object(_) => match finding(item).or_else(|| short(item)) {
                    Some(text) => format!("- {}\n", indented(&text)),
                    None => format!("- {}\n", indented(of_value(item).trim_end())),
                },
                _ => format!("-{}\n", after(item)),
            };
            items.iter().map(item).collect()
        }
        other => after(other),
    }
}

/// A value after its key.
fn after(value: &Value) -> String {
    let items = value.as_array().into_iter().flatten();
    let has_findings = || items.clone().any(|item| finding(item).is_some());
    match value {
        Value::String(text) if text.contains('\n') => {
            let mark = if text.ends_with('\n') { "|" } else { "|-" };
            let text = text.strip_suffix('\n').unwrap_or(text);
            format!(" {mark}\n  {}", indented(&shown(text)))
        }
        Value::String(text) if is_plain(text, "") => format!(" {}", shown(text)),
        Value::Object(_) | Value::Array(_) => match short(value).filter(|_| !has_findings()) {
            Some(line) => format!(" {line}"),
            None => format!("\n  {}", indented(of_value(value).trim_end())),
        },
        other => format!(" {}", shown(&other.to_string())),
    }
}

fn short(value: &Value) -> Option<String> {
    line(value).filter(|line| line.len() <= WIDTH)
}

/// The fields of a value that has a place, with the place as one.
fn with_place(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = fields.clone();
    if let Some(place) = place(&Value::Object(fields.clone())) {
        for key in ["path", "span", "start", "end"] {
            fields.shift_remove(key);
        }
        fields.insert("at".into(), place.into());
    }
    fields
}

/// A finding, without the fields that have a place in it.
fn finding(value: &Value) -> Option<String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let (severity, rule, message) = (text("severity")?, text("rule")?, text("message")?);
    let primary = value.get("primary")?;
    let mut text = format!("{severity} {rule} {}", place(primary)?);
    let dialects = value.get("dialects").and_then(Value::as_array);
    let dialects: Vec<&str> = dialects.into_iter().flatten().filter_map(Value::as_str).collect();
    if !dialects.is_empty() {
        let _ = write!(text, " ({})", dialects.join(", "));
    }
    if value.get("in_project").is_some() {
        text.push_str(" outside of the project");
    }
    let _ = write!(text, "\n  {}", indented(&shown(message)));
    let label = primary["text"].as_str().filter(|text| !text.is_empty());
    let related = value["related"].as_array().into_iter().flatten();
    let related =
        related.filter_map(|label| Some(format!("{}: {}", place(label)?, shown(label["text"].as_str()?))));
    let said = |key: &str| Some(format!("{key}: {}", shown(value[key].as_str()?)));
    let advice = ["note", "help"].into_iter().filter_map(said);
    let fixes = value["fixes"].as_array().into_iter().flatten().map(fix);
    let below = label.map(|text| format!("here: {}", shown(text))).into_iter();
    for line in below.chain(related).chain(advice).chain(fixes) {
        let _ = write!(text, "\n  {line}");
    }
    Some(text)
}

fn fix(fix: &Value) -> String {
    let word = if fix["safe"] == Value::Bool(true) {
        "fix"
    } else {
        "unsafe fix"
    };
    let edits = fix["edits"].as_array().into_iter().flatten();
    let edits = edits.map(|edit| {
        let span = line(&edit["span"]).unwrap_or_default();
        format!(" {span} {}", edit["text"])
    });
    let title = fix["title"].as_str().unwrap_or_default();
    format!("{word}: {}:{}", shown(title), edits.collect::<Vec<_>>().join(","))
}

/// `path:line:column-column`, or `path:line:column-line:column`.
fn place(label: &Value) -> Option<String> {
    let (start, end) = (label.get("start")?, label.get("end")?);
    let at = |position: &Value| Some((position.get("line")?.as_u64()?, position.get("column")?.as_u64()?));
    let ((first, from), (last, to)) = (at(start)?, at(end)?);
    let path = label.get("path")?.as_str()?;
    Some(match (first == last, from == to) {
        (true, true) => format!("{path}:{first}:{from}"),
        (true, false) => format!("{path}:{first}:{from}-{to}"),
        (false, _) => format!("{path}:{first}:{from}-{last}:{to}"),
    })
}

/// A value on one line, if it can be.
fn line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.contains('\n') => None,
        Value::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(line).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        Value::Object(fields) => {
            let number = |key: &str| fields.get(key).and_then(Value::as_u64);
            if let (2, Some(start), Some(end)) = (fields.len(), number("start"), number("end")) {
                return Some(format!("{start}..{end}"));
            }
            let fields = with_place(fields);
            // Of a release of a tool, the ID: the rest is the same everywhere.
            if let (Some(id), Some(_)) = (fields.get("id"), fields.get("measured")) {
                return line(id);
            }
            let fields = fields.iter().filter(|(_, value)| !is_empty(value));
            let fields = fields.map(|(key, value)| Some(format!("{key}: {}", line(value)?)));
            let fields: Option<Vec<String>> = fields.collect();
            Some(format!("{{{}}}", fields?.join(", ")))
        }
        Value::String(text) if is_plain(text, "{}[],\"") => Some(shown(text)),
        other => Some(shown(&other.to_string())),
    }
}

/// What an optional field has without a value.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => {
            fields.values().all(is_empty) || fields.len() == 1 && value["kind"] == "absent"
        }
        _ => false,
    }
}

/// Whether a text needs no quotes among these separators.
fn is_plain(text: &str, separators: &str) -> bool {
    let is_separator = |character: char| character.is_control() || separators.contains(character);
    !text.is_empty()
        && text.trim() == text
        && !text.contains(is_separator)
        && serde_json::from_str::<Value>(text).is_err()
}

/// A text with what cannot be seen as escapes.
pub fn shown(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        match character {
            '\n' | ' ' => shown.push(character),
            _ if character.is_control() => shown.extend(character.escape_default()),
            _ if character.is_whitespace() || is_invisible(character) => {
                shown.extend(character.escape_unicode())
            }
            _ => shown.push(character),
        }
    }
    shown
}

/// Characters that have no width, or that reorder their text.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// All lines but the first two columns to the right, without spaces in empty ones.
fn indented(text: &str) -> String {
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default();
    let rest = lines.map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("\n  {line}"),
    });
    format!("{first}{}", rest.collect::<String>())
}
