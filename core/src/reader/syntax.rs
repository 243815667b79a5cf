//! Text to values.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::decimal::Decimal;
use super::engine::{Engine, Scanner};
use super::load::value;
use super::scanner::{scan, scan_own};
use super::value::Value;
use crate::limits::FRONTMATTER_BYTES;
use crate::toml;
use crate::yaml::{self, Kind, Node, Style};

/// The release's behavior is unknown here, and the message says so.
const TOO_LONG: &str = "unknown: frontmatter of more than 128 KB is not read here";

/// The tree and its values, or the engine's error.
pub(super) fn parse(
    text: &str,
    engine: &Engine,
    known: &dyn Fn(&str) -> bool,
) -> Result<(Option<Node>, Value), String> {
    if text.len() > FRONTMATTER_BYTES {
        return Err(TOO_LONG.to_owned());
    }
    let document = match engine.scanner {
        Scanner::Own | Scanner::Bun => scan_own(text, engine.scanner)?,
        _ => scan(text, engine)?,
    };
    let value = match &document.root {
        Some(root) => value(root, engine, known)?,
        None => Value::Null,
    };
    Ok((document.root, value))
}

/// The same for a file that is TOML from the first line to the last.
pub(super) fn parse_toml(text: &str, engine: &Engine) -> Result<(Option<Node>, Value), String> {
    let start = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    match toml::read(text, start) {
        (_, Some(error)) => Err(error.message),
        (root, None) => {
            let value = value(&root, engine, &|_| true)?;
            Ok((Some(root), value))
        }
    }
}

/// The values of a JSON object, parsed as strict YAML.
pub(super) fn parse_json(text: &str, engine: &Engine) -> Result<(Option<Node>, Value), String> {
    if text.len() > FRONTMATTER_BYTES {
        return Err(TOO_LONG.to_owned());
    }
    let document = yaml::read(text.trim(), 0).map_err(|error| error.message)?;
    match &document.root {
        Some(root) if text.trim().starts_with('{') && is_json(root) && document.comments.is_empty() => {
            let value = value(root, engine, &|_| true)?;
            Ok((document.root, value))
        }
        _ => Err("the frontmatter is not valid JSON".to_owned()),
    }
}

/// Whether a text is JSON.
pub(super) fn is_json_text(text: &str) -> bool {
    let document = yaml::read(text.trim(), 0);
    document.is_ok_and(|document| document.root.is_some_and(|root| is_json(&root)))
}

fn is_json(node: &Node) -> bool {
    match &node.kind {
        Kind::Scalar { text, style } => {
            let number =
                || Decimal::parse(text).is_some() && !text.starts_with(['+', '.', 'i', 'n', 'I', 'N']);
            *style == Style::DoubleQuoted
                || *style == Style::Plain && (matches!(&**text, "null" | "true" | "false") || number())
        }
        Kind::Sequence(items) => items.iter().all(is_json),
        Kind::Mapping(entries) => {
            let is_text = |key: &Node| key.style() == Some(Style::DoubleQuoted);
            entries
                .iter()
                .all(|entry| is_text(&entry.key) && is_json(&entry.value))
        }
    }
}
