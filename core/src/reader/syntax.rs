//! Text to values.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::decimal::Decimal;
use super::engine::{Engine, Scanner};
use super::scanner::scan;
use super::value::{Value, value};
use crate::limits::FRONTMATTER_BYTES;
use crate::span::Span;
use crate::yaml::{self, Kind, Node, Problem, Style};

/// This is not known to be what the release does, and says so.
const TOO_LONG: &str = "not known: no frontmatter of more than 64 KB is looked at here";

/// The tree and its values, or why an engine has none.
pub(super) fn parse(
    text: &str,
    engine: &Engine,
    known: &dyn Fn(&str) -> bool,
) -> Result<(Option<Node>, Value), String> {
    if text.len() > FRONTMATTER_BYTES {
        return Err(TOO_LONG.to_owned());
    }
    let document = match engine.scanner {
        Scanner::Own => yaml::read(text, 0).map_err(|error| error.message)?,
        _ => scan(text, engine)?,
    };
    let value = match &document.root {
        Some(root) => value(root, engine, known)?,
        None => Value::Null,
    };
    Ok((document.root, value))
}

/// The same with values that should have been quoted taken as text.
pub(super) fn parse_leniently(text: &str, engine: &Engine) -> Result<(Option<Node>, Value), String> {
    let ladder = yaml::climb(text, Span::new(0, text.len()), &|_| false);
    match (ladder.document.root, ladder.problem) {
        (Some(root), None | Some(Problem::Unquoted(..))) => {
            let value = value(&root, engine, &|_| true)?;
            Ok((Some(root), value))
        }
        (None, None) => Ok((None, Value::Null)),
        (_, Some(Problem::Syntax(error))) => Err(error.message),
        _ => Err(TOO_LONG.to_owned()),
    }
}

/// The values of a JSON object, which is YAML without its liberties.
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
        _ => Err("the frontmatter is no JSON".to_owned()),
    }
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
