//! Texts of a session, as they fit the screen.

use serde_json::{Map, Value};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::agents::Entry;
use crate::output::text::{clean, clean_lines};

/// The most of a text that its line shows.
const BRIEF: usize = 400;

/// The longest arguments that are shown by name: others are shown as the model wrote them.
const ARGUMENTS: usize = 1 << 20;

/// The text of an entry on one line.
pub(super) fn line(entry: &Entry) -> String {
    let arguments = entry.call.as_ref().and_then(|_| arguments(&entry.text));
    match arguments {
        Some(all) => brief(&all.join(", ")),
        None => brief(&entry.text),
    }
}

/// The start of a text on one line.
pub(super) fn brief(text: &str) -> String {
    clean(&text[..text.floor_char_boundary(BRIEF)])
}

/// A line that is at most this wide, and says so if it is cut.
pub(super) fn cut(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    let first = rows(line, width.saturating_sub(1)).into_iter().next();
    format!("{}…", first.unwrap_or_default().trim_end())
}

/// The arguments of a call, each with its name; none if they are no JSON object.
pub(super) fn arguments(text: &str) -> Option<Vec<String>> {
    if text.len() > ARGUMENTS {
        return None;
    }
    let all: Map<String, Value> = serde_json::from_str(text).ok()?;
    let argument = |(name, value): (String, Value)| {
        let value = match value {
            Value::String(text) if text.contains('\n') => format!("\n{text}"),
            Value::String(text) => format!(" {text}"),
            other => format!(" {other}"),
        };
        clean_lines(&format!("{name}:{value}"))
    };
    Some(all.into_iter().map(argument).collect())
}

/// The lines of a text, broken at this width.
pub(super) fn rows(text: &str, width: usize) -> Vec<String> {
    const TAB: &str = "    ";
    let mut rows = Vec::new();
    for line in text.lines() {
        let line = line.replace('\t', TAB);
        let (mut row, mut used) = (String::new(), 0);
        for character in line.chars() {
            let columns = character.width().unwrap_or_default();
            if used + columns > width && used > 0 {
                rows.push(std::mem::take(&mut row));
                used = 0;
            }
            row.push(character);
            used += columns;
        }
        rows.push(row);
    }
    rows
}
