//! Files of settings: JSON, or TOML.

use crate::dialect::Json;
use crate::json::{self, Wrong};
use crate::limits::SETTINGS_FILES;
use crate::source::Source;
use crate::toml;
use crate::yaml::Node;

/// The ending of settings in TOML.
const TOML: &str = ".toml";

/// What OpenCode replaces in its settings: by the contents of a file, relative to them, and by the value of an environment variable.
pub(crate) const FILE: &str = "{file:";
const VARIABLE: &str = "{env:";

/// The format of the settings at a path; none if no product has settings in such a file.
pub(crate) fn format(path: &str) -> Option<&'static str> {
    match path {
        _ if path.ends_with(".json") || path.ends_with(".jsonc") => Some("JSON"),
        _ if path.ends_with(TOML) => Some("TOML"),
        _ => None,
    }
}

/// Reads settings with their places.
pub(crate) fn read(path: &str, source: &Source<'_>, json: Json) -> Result<Node, Wrong> {
    if !path.ends_with(TOML) {
        return json::file(source, json);
    }
    match toml::read(&source.text, source.byte_order_marks().end.index()) {
        (root, None) => Ok(root),
        (_, Some(error)) => Err(Wrong {
            message: error.message,
            at: error.span.start.index(),
        }),
    }
}

/// The first part of a text that OpenCode replaces.
pub(crate) fn placeholder(text: &str) -> Option<&str> {
    let from = [FILE, VARIABLE]
        .iter()
        .filter_map(|opening| text.find(opening))
        .min()?;
    let length = text[from..].find('}')?;
    text.get(from..=from + length)
}

/// The paths of the files whose contents OpenCode puts into its settings, with their places. It leaves lines alone that are comments.
pub(crate) fn included(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let found = text.match_indices(FILE).take(SETTINGS_FILES);
    found.filter_map(|(at, _)| {
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let start = at + FILE.len();
        let length = text[start..].find('}')?;
        let path = &text[start..start + length];
        let is_path = !path.contains(['"', '\n']) && !line.trim_start().starts_with("//");
        is_path.then_some((start, path))
    })
}
