//! Values that a case file may have.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};
use regex_lite::Regex;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// The longest ID, which is part of a file name.
const LONGEST_ID: usize = 100;

/// The ID of a case: a number, or letters, digits, `-`, `_` and `.`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Id(pub(super) String);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Id;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a number or a name")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Id, E> {
                Ok(Id(number.to_string()))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Id, E> {
                let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.');
                let is_name = !name.is_empty() && !name.starts_with('.') && name.chars().all(fits);
                if !is_name || name.len() > LONGEST_ID {
                    return Err(E::custom(format!(
                        "the ID {name:?} names a file: use up to {LONGEST_ID} letters, digits, `-`, `_` and `.`"
                    )));
                }
                Ok(Id(name.to_owned()))
            }
        }
        from.deserialize_any(Name)
    }
}

/// A text that is not blank.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub(super) struct Prompt(pub(super) String);

impl TryFrom<String> for Prompt {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.trim().is_empty() {
            Err("the text is empty")
        } else {
            Ok(Self(text))
        }
    }
}

/// A path below a folder, with slashes.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub(super) struct Below(pub(super) String);

impl TryFrom<String> for Below {
    type Error = String;

    fn try_from(path: String) -> Result<Self, Self::Error> {
        let is_plain = |part: &str| !matches!(part, "" | "." | "..");
        let trimmed = path.strip_suffix('/').unwrap_or(&path);
        if trimmed.contains(['\\', ':']) || !trimmed.split('/').all(is_plain) {
            return Err(format!(
                "{path:?} is not a path within the folder: use names separated by `/`, without `..`"
            ));
        }
        Ok(Self(trimmed.to_owned()))
    }
}

/// A regular expression.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Pattern(pub(super) Regex);

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let compiled = Regex::new(&text);
        compiled
            .map(Self)
            .map_err(|error| format!("{text:?} is not a regular expression: {error}"))
    }
}

/// A pattern of paths, as in `callsheet.toml`: `*` stays within a directory.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Paths(pub(super) GlobMatcher);

impl TryFrom<String> for Paths {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let compiled = GlobBuilder::new(&text).literal_separator(true).build();
        let compiled = compiled.map_err(|error| format!("{text:?} is not a pattern: {}", error.kind()))?;
        Ok(Self(compiled.compile_matcher()))
    }
}
