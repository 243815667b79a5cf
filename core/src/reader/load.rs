//! Turns a YAML tree into an engine's values, or reports its error.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::BuildHasher as _;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::date::date;
use super::decimal::Decimal;
use super::engine::{Dates, Duplicates, Engine, Keys, Merges, Tags};
use super::show::script_text;
use super::value::Value;
use crate::yaml::{Entry, Kind, Node, Style};

/// Turns a tree into values. `whole` lists the keys of the outermost map that a reader uses: an engine that reads into a struct does not
/// look into others.
pub(super) fn value(node: &Node, engine: &Engine, known: &dyn Fn(&str) -> bool) -> Result<Value, String> {
    if engine.duplicates != Duplicates::RefusedWhereKnown {
        return any(node, engine);
    }
    let Kind::Mapping(entries) = &node.kind else {
        return any(node, engine);
    };
    let mut map = Map::new(engine);
    for entry in entries {
        let key = match entry.key.as_text() {
            Some(key) => key,
            None => return Err("a key is not text".to_owned()),
        };
        if known(key) {
            map.put(Value::Text(key.to_owned()), any(&entry.value, engine)?)?;
        }
    }
    Ok(Value::Map(map.entries))
}

fn any(node: &Node, engine: &Engine) -> Result<Value, String> {
    let value = match &node.kind {
        Kind::Scalar { text, style } => return scalar(node, text, *style, engine),
        Kind::Sequence(items) => {
            let items: Result<Vec<Value>, String> = items.iter().map(|item| any(item, engine)).collect();
            Value::List(items?)
        }
        Kind::Mapping(entries) => mapping(entries, engine)?,
    };
    let Some(tag) = &node.tag else {
        return Ok(value);
    };
    match (engine.tags, standard(tag)) {
        (Tags::Ignored, _) | (Tags::Kept, None) => Ok(Value::Tagged(Box::new(value))),
        (Tags::Json, Some("omap" | "pairs" | "set")) => Err(unknown_tag(node)),
        (Tags::Text | Tags::Kept | Tags::Hints, _)
        | (_, Some("seq" | "map" | "omap" | "pairs" | "set" | "")) => Ok(value),
        _ => Err(unknown_tag(node)),
    }
}

fn mapping(entries: &[Entry], engine: &Engine) -> Result<Value, String> {
    let mut map = Map::new(engine);
    for entry in entries {
        if engine.merges.applies(entry) {
            map.merge(any(&entry.value, engine)?)?;
        } else {
            map.put(any(&entry.key, engine)?, any(&entry.value, engine)?)?;
        }
    }
    Ok(Value::Map(map.entries))
}

/// Puts the maps that the outermost map merges into the place of their `<<`, without the keys that are there.
pub(super) fn merge(root: &mut Node, merges: Merges) {
    let Kind::Mapping(entries) = &mut root.kind else {
        return;
    };
    if !entries.iter().any(|entry| merges.applies(entry)) {
        return;
    }
    let key = |entry: &Entry| entry.key.as_text().map(ToOwned::to_owned);
    let mut known: BTreeSet<Option<String>> = entries.iter().map(key).collect();
    for entry in core::mem::take(entries) {
        if !merges.applies(&entry) {
            entries.push(entry);
            continue;
        }
        let maps = match entry.value.kind {
            Kind::Sequence(items) => items,
            _ => alloc::vec![entry.value],
        };
        for mut map in maps {
            merge(&mut map, merges);
            if let Kind::Mapping(merged) = map.kind {
                entries.extend(merged.into_iter().filter(|entry| known.insert(key(entry))));
            }
        }
    }
}

/// A map being made.
struct Map<'engine> {
    engine: &'engine Engine,
    entries: Vec<(Value, Value)>,
    /// Where each key is among the entries.
    places: HashTable<usize>,
    hasher: DefaultHashBuilder,
    /// How many entries are merged ones, which the map's own override.
    merged: Vec<usize>,
}

impl<'engine> Map<'engine> {
    fn new(engine: &'engine Engine) -> Self {
        Self {
            engine,
            entries: Vec::new(),
            places: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            merged: Vec::new(),
        }
    }

    fn position(&self, key: &Value) -> Option<usize> {
        let is_it = |at: &usize| self.entries[*at].0 == *key;
        self.places.find(hash(&self.hasher, key), is_it).copied()
    }

    fn push(&mut self, key: Value, value: Value) {
        let Self { entries, hasher, .. } = self;
        let hashed = hash(hasher, &key);
        let again = |at: &usize| hash(hasher, &entries[*at].0);
        self.places.insert_unique(hashed, entries.len(), again);
        entries.push((key, value));
    }

    fn put(&mut self, key: Value, value: Value) -> Result<(), String> {
        let key = match (self.engine.keys, key) {
            (Keys::Scalars, Value::List(_) | Value::Map(_)) => {
                return Err("found unhashable key".to_owned());
            }
            (Keys::Shown, key) => Value::Text(script_text(&key)),
            (_, key) => key,
        };
        let Some(at) = self.position(&key) else {
            self.push(key, value);
            return Ok(());
        };
        let merged = self.merged.iter().position(|merged| *merged == at);
        if merged.is_none() && self.engine.duplicates != Duplicates::LastCounts {
            return Err(format!("duplicated mapping key `{}`", script_text(&key)));
        }
        if let Some(merged) = merged {
            self.merged.remove(merged);
        }
        self.entries[at].1 = value;
        Ok(())
    }

    fn merge(&mut self, value: Value) -> Result<(), String> {
        match value {
            Value::Map(entries) => {
                for (key, value) in entries {
                    self.put_merged(key, value);
                }
                Ok(())
            }
            Value::List(items) => items.into_iter().try_for_each(|item| match item {
                Value::Map(_) => self.merge(item),
                _ if self.engine.merges == Merges::Any => Ok(()),
                _ => Err(cannot_merge()),
            }),
            _ => Err(cannot_merge()),
        }
    }

    fn put_merged(&mut self, key: Value, value: Value) {
        match self.position(&key) {
            None => {
                self.merged.push(self.entries.len());
                self.push(key, value);
            }
            // yaml.v2 writes entries in the order it finds them, whether they are merged or not.
            Some(at) if self.engine.first_document_only => self.entries[at].1 = value,
            Some(_) => {}
        }
    }
}

/// Almost all keys are text or integers; others are compared one by one.
fn hash(hasher: &DefaultHashBuilder, key: &Value) -> u64 {
    match key {
        Value::Text(text) => hasher.hash_one(text),
        Value::Integer(number) => hasher.hash_one(number),
        _ => 0,
    }
}

fn cannot_merge() -> String {
    "only maps can be merged".to_owned()
}

fn scalar(node: &Node, text: &str, style: Style, engine: &Engine) -> Result<Value, String> {
    let as_text = || Value::Text(text.to_owned());
    let untagged = || {
        if style == Style::Plain {
            plain(text, engine)
        } else {
            Ok(as_text())
        }
    };
    let Some(tag) = &node.tag else {
        return untagged();
    };
    let wrong = || format!("invalid {tag} `{text}`");
    match (engine.tags, standard(tag)) {
        (Tags::Hints, Some("str" | "")) => Ok(as_text()),
        (Tags::Hints, Some("null" | "bool" | "int" | "float")) => untagged(),
        (Tags::Hints, _) => Ok(if text.is_empty() { Value::Null } else { as_text() }),
        (Tags::Ignored, _) => Ok(Value::Tagged(Box::new(as_text()))),
        (Tags::Kept, None | Some("")) => Ok(Value::Tagged(Box::new(untagged()?))),
        (_, Some("str" | "")) => Ok(as_text()),
        (_, Some("null")) if engine.is_null(text) || engine.dates == Dates::Python => Ok(Value::Null),
        (_, Some("bool")) => engine.boolean(text).ok_or_else(wrong),
        (_, Some("int")) => engine.integer(text).map(Value::Integer).ok_or_else(wrong),
        (_, Some("float")) => match engine.number(text) {
            Some(Value::Integer(whole)) => Ok(Value::Float(Decimal::whole(whole))),
            number => number.ok_or_else(wrong),
        },
        (Tags::Json, Some("timestamp" | "binary")) => Err(unknown_tag(node)),
        (_, Some("timestamp")) => date(text, engine.dates).unwrap_or_else(|| Err(wrong())),
        (_, Some("binary")) => Ok(as_text()),
        (_, Some("null" | "seq" | "map" | "set" | "omap" | "pairs")) => Err(wrong()),
        (Tags::Text, _) => Ok(as_text()),
        (Tags::Kept, _) => untagged(),
        _ => Err(unknown_tag(node)),
    }
}

fn plain(text: &str, engine: &Engine) -> Result<Value, String> {
    if let Some(date) = date(text, engine.dates) {
        return date;
    }
    let value = engine.plain(text);
    match &value {
        // PyYAML recognizes these words but has no constructor for them.
        Value::Text(text) if engine.dates == Dates::Python && matches!(&**text, "=" | "<<") => {
            Err(format!("could not determine a constructor for `{text}`"))
        }
        // serde_yaml reads numbers into 64 bits, and reports longer ones.
        Value::Integer(value) if engine.tags == Tags::Kept && is_long(*value) => {
            Err(format!("invalid type: integer `{value}`"))
        }
        _ => Ok(value),
    }
}

fn is_long(value: i128) -> bool {
    u64::try_from(value).is_err() && i64::try_from(value).is_err()
}

fn unknown_tag(node: &Node) -> String {
    format!("unknown tag {}", node.tag.as_deref().unwrap_or_default())
}

/// The name of a standard tag; empty for `!`, which only marks a scalar as text.
fn standard(tag: &str) -> Option<&str> {
    let full = |tag| str::strip_prefix(tag, "!<tag:yaml.org,2002:")?.strip_suffix('>');
    if tag == "!" {
        return Some("");
    }
    tag.strip_prefix("!!").or_else(|| full(tag))
}
