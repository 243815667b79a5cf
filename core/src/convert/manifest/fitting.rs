//! Values that a field of another format accepts.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dialect::Json;
use crate::json::{self, quote};
use crate::manifests::{Field, Format, accepts, is_path};
use crate::yaml::{Entry, Kind, Node};

/// The longest name of a plugin that every format accepts.
const NAME: usize = 64;

/// A value that a field accepts, as JSON.
pub(super) struct Fitted {
    pub(super) text: String,
    /// The names in it that the field does not have.
    pub(super) lost: Vec<String>,
}

impl From<String> for Fitted {
    fn from(text: String) -> Self {
        Self {
            text,
            lost: Vec::new(),
        }
    }
}

/// The value, or the closest that the field accepts.
pub(super) fn fitted(format: &Format, field: &'static Field, text: &str) -> Option<Fitted> {
    let fits = |text: &str| json::tree(text, Json::Strict).is_ok_and(|value| accepts(format, field, &value));
    let node = json::tree(text, Json::Strict).ok()?;
    let is_pattern =
        |node: &Node| is_path(field) && node.as_text().is_some_and(|path| path.contains(['*', '?']));
    if is_pattern(&node) || node.items().unwrap_or_default().iter().any(is_pattern) {
        return None;
    }
    if fits(text) {
        return Some(text.to_owned().into());
    }
    match &node.kind {
        Kind::Scalar { text: said, .. } if !node.is_plain() => {
            let other = if is_path(field) && !said.contains(':') {
                ["./", said].concat()
            } else if field.name == "name" {
                slug(said)
            } else {
                said.clone()
            };
            let others = [quote(&other), ["[", text, "]"].concat()];
            others.into_iter().find(|other| fits(other)).map(Fitted::from)
        }
        Kind::Scalar { .. } => None,
        Kind::Sequence(items) => list(format, field, text, items),
        Kind::Mapping(entries) => object(format, field, text, entries),
    }
}

fn list(format: &Format, field: &'static Field, text: &str, items: &[Node]) -> Option<Fitted> {
    let inner = field.items().unwrap_or(field);
    let items: Option<Vec<String>> = items
        .iter()
        .map(|item| Some(fitted(format, inner, item.span.of(text))?.text))
        .collect();
    let items = items?;
    let all = ["[", &items.join(", "), "]"].concat();
    let fits = |text: &str| json::tree(text, Json::Strict).is_ok_and(|value| accepts(format, field, &value));
    if fits(&all) {
        return Some(all.into());
    }
    let [one] = &*items else { return None };
    fits(one).then(|| one.clone().into())
}

fn object(format: &Format, field: &'static Field, text: &str, entries: &[Entry]) -> Option<Fitted> {
    if let Some(text) = tagged(field, text, entries) {
        let value = json::tree(&text, Json::Strict).ok()?;
        return accepts(format, field, &value).then(|| text.into());
    }
    let (mut kept, mut lost) = (Vec::new(), Vec::new());
    for entry in entries {
        let name = entry.key.as_text().unwrap_or_default();
        let inner = field.field(name);
        if let Some(inner) = field.field("*").filter(|_| inner.is_none()) {
            // What a plugin loads is not lost one by one.
            let value = fitted(format, inner, entry.value.span.of(text))?;
            kept.push([&quote(name), ": ", &*value.text].concat());
            continue;
        }
        match inner.and_then(|inner| fitted(format, inner, entry.value.span.of(text))) {
            Some(value) => kept.push([&quote(name), ": ", &*value.text].concat()),
            None => lost.push(name.to_owned()),
        }
    }
    let text = ["{", &kept.join(", "), "}"].concat();
    let value = json::tree(&text, Json::Strict).ok()?;
    (!kept.is_empty() && accepts(format, field, &value)).then_some(Fitted { text, lost })
}

/// The object with the tag of the kind that is meant.
fn tagged(field: &Field, text: &str, entries: &[Entry]) -> Option<String> {
    let has = |name: &str| entries.iter().any(|entry| entry.key.as_text() == Some(name));
    let (tag, [beside, kind]) = (field.tag?, field.meant?);
    if has(tag) || !has(beside) {
        return None;
    }
    let fields = text.strip_suffix('}')?.trim_end();
    let end = &text[fields.len()..];
    Some([fields, ", ", &quote(tag), ": ", &quote(kind), end].concat())
}

/// In lowercase, with hyphens for what is neither a letter nor a digit nor a period.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().map(|c| c.to_ascii_lowercase()) {
        let is_plain = c.is_ascii_lowercase() || c.is_ascii_digit();
        if is_plain {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with(['-', '.']) {
            slug.push(if c == '.' { c } else { '-' });
        }
    }
    slug.truncate(NAME);
    slug.trim_end_matches(['-', '.']).to_owned()
}
