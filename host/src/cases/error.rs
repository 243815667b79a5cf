//! Errors in a case file, for display.

use std::fmt;
use std::path::Path;

use crate::closest::closest;

/// Why a case file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// The file.
    pub file: String,
    /// The line and the column, counted from 1; none if the file could not be read.
    pub position: Option<(usize, usize)>,
    /// The problem, and what to do.
    pub message: String,
}

impl CaseError {
    pub(super) fn of(file: &Path, message: impl Into<String>) -> Self {
        Self {
            file: file.to_string_lossy().into_owned(),
            position: None,
            message: message.into(),
        }
    }

    /// A parser's error. It names the end of a token, people look for the beginning.
    pub(super) fn at(file: &Path, text: &str, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let end = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&end).unwrap_or(&message);
        let before = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        let before = &before[..before.floor_char_boundary(column)];
        Self {
            position: Some((line, column_of(before))),
            ..Self::of(file, advised(message))
        }
    }
}

impl fmt::Display for CaseError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.file)?;
        if let Some((line, column)) = self.position {
            write!(to, ":{line}:{column}")?;
        }
        write!(to, ": {}", self.message)
    }
}

impl std::error::Error for CaseError {}

/// The column, in characters, where the last token of a line's beginning starts.
fn column_of(before: &str) -> usize {
    let start = match before.strip_suffix('"') {
        Some(string) => string.rfind('"').unwrap_or(string.len()),
        None => {
            let of_number = |it: char| it.is_ascii_digit() || "+-.eE".contains(it);
            let number = before.trim_end_matches(of_number).len();
            number.min(before.len().saturating_sub(1))
        }
    };
    before[..before.floor_char_boundary(start)].chars().count() + 1
}

/// Unknown keys get the closest known one; the parser lists the known ones in backticks.
fn advised(message: &str) -> String {
    if let Some(part) = message.strip_prefix("EOF while parsing ") {
        return format!("the file ends within {part}");
    }
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("the key {name} is missing");
    }
    if !message.starts_with("unknown field") {
        return message.to_owned();
    }
    let mut names = message.split('`').skip(1).step_by(2);
    let name = names.next().unwrap_or_default();
    match closest(name, names.clone()) {
        Some(near) => format!("unknown key `{name}`; did you mean `{near}`?"),
        None => {
            let known: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            format!("unknown key `{name}`; use {}", known.join(", "))
        }
    }
}
