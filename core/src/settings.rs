//! Files of settings: JSON, or TOML.

use crate::json::{self, Wrong};
use crate::source::Source;
use crate::toml;
use crate::yaml::Node;

/// The ending of settings in TOML.
const TOML: &str = ".toml";

/// The format of the settings at a path; none if no product has settings in such a file.
pub(crate) fn format(path: &str) -> Option<&'static str> {
    match path {
        _ if path.ends_with(".json") => Some("JSON"),
        _ if path.ends_with(TOML) => Some("TOML"),
        _ => None,
    }
}

/// Reads settings with their places. `lenient` readers of JSON skip comments and trailing commas.
pub(crate) fn read(path: &str, source: &Source<'_>, lenient: bool) -> Result<Node, Wrong> {
    if !path.ends_with(TOML) {
        return json::file(source, lenient);
    }
    match toml::read(&source.text, source.byte_order_marks().end.index()) {
        (root, None) => Ok(root),
        (_, Some(error)) => Err(Wrong {
            message: error.message,
            at: error.span.start.index(),
        }),
    }
}
