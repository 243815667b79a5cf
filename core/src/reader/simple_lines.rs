//! Gemini CLI's second attempt at a skill: the lines with a name and a description.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::value::Value;
use crate::dialect::edition::Blanks;

/// The name and the description of a text. A line that is indented continues a description.
pub(super) fn values(text: &str) -> Value {
    let mut lines = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .peekable();
    let (mut name, mut description) = (None, None);
    while let Some(line) = lines.next() {
        if let Some(value) = value_of(line, "name:") {
            name = Some(value.to_owned());
        } else if let Some(value) = value_of(line, "description:") {
            let mut parts: Vec<&str> = Vec::new();
            parts.push(value);
            while let Some(more) = lines.next_if(|line| continues(line)) {
                parts.push(Blanks::EcmaScript.trim(more));
            }
            parts.retain(|part| !part.is_empty());
            description = Some(parts.join(" "));
        }
    }
    let entry = |key: &str, value: Option<String>| Some((Value::Text(key.to_owned()), Value::Text(value?)));
    let entries = [entry("name", name), entry("description", description)];
    Value::Map(entries.into_iter().flatten().collect())
}

fn value_of<'line>(line: &'line str, key: &str) -> Option<&'line str> {
    let line = Blanks::EcmaScript.trim(line);
    Some(Blanks::EcmaScript.trim(line.strip_prefix(key)?))
}

fn continues(line: &str) -> bool {
    let words = line.trim_start_matches([' ', '\t']);
    words.len() < line.len() && !words.is_empty() && !words.starts_with(|c| Blanks::EcmaScript.has(c))
}
