//! Errors in a configuration, for display.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use crate::closest::closest;

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub file: String,
    /// The place in the file; none if it could not be read.
    pub position: Option<Position>,
    /// The message.
    pub message: String,
}

/// A line and a column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl ConfigError {
    /// Of a file that cannot be read.
    #[must_use]
    pub fn unreadable(file: &Path, error: &std::io::Error) -> Self {
        Self {
            file: file.to_string_lossy().into_owned(),
            position: None,
            message: format!("cannot be read: {error}"),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(to, ":{line}:{column}")?;
        }
        write!(to, ": {}", self.message)
    }
}

impl std::error::Error for ConfigError {}

/// A problem of a text, and its bytes.
#[derive(Debug)]
pub struct Problem {
    at: Range<usize>,
    message: String,
}

impl Problem {
    /// At these bytes.
    pub fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { at, message }
    }

    /// An unknown name; `what` is the noun.
    pub fn unknown<'a>(
        at: Range<usize>,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        let advice = match closest(name, known.clone()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => listed(what, &known.collect::<Vec<_>>()),
        };
        Self::new(at, format!("unknown {what} `{name}`{advice}"))
    }

    /// As a problem of the file with this text.
    #[must_use]
    pub fn in_file(self, file: &Path, text: &str) -> ConfigError {
        let before = &text[..text.floor_char_boundary(self.at.start)];
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        ConfigError {
            file: file.to_string_lossy().into_owned(),
            position: Some(Position {
                line: before.matches('\n').count() + 1,
                column: before[line..].chars().count() + 1,
            }),
            message: self.message,
        }
    }
}

/// The known names, or where they are listed if there are many.
fn listed(what: &str, known: &[&str]) -> String {
    const FEW: usize = 6;
    match known {
        [first, rest @ ..] if rest.len() < FEW => {
            let rest: String = rest.iter().map(|name| format!(", `{name}`")).collect();
            format!("; use `{first}`{rest}")
        }
        _ if what == "key" => "; docs/configuration.md lists all keys".to_owned(),
        _ => format!("; run `callsheet {what}s` for the list"),
    }
}

/// A message in the words of TOML.
fn in_toml(message: &str) -> String {
    let words = [
        ("expected a sequence", "expected an array"),
        ("expected a map", "expected a table"),
        ("expected f64", "expected a number"),
        ("invalid type: sequence", "invalid type: array"),
        ("invalid type: map", "invalid type: table"),
    ];
    let start = message.to_owned();
    words
        .iter()
        .fold(start, |message, (from, to)| message.replace(from, to))
}

impl From<toml::de::Error> for Problem {
    /// Unknown keys and words get the closest known name; the parser lists all known ones in backticks.
    fn from(error: toml::de::Error) -> Self {
        let at = error.span().unwrap_or_default();
        let message = error.message();
        let words = message.split('`').skip(1).step_by(2);
        let name = words.clone().next().unwrap_or_default();
        let what = [("unknown field", "key"), ("unknown variant", "value")];
        match what.into_iter().find(|(start, _)| message.starts_with(start)) {
            Some((_, what)) => Self::unknown(at, what, name, words.skip(1)),
            None => Self::new(at, in_toml(&message.lines().collect::<Vec<_>>().join(", "))),
        }
    }
}
