//! How readers read files.

use serde::Serialize;
use serde_json::Value;

use callsheet_contract::documents as wit;

use crate::report::{Readers, Readings};
use crate::words;

#[derive(Serialize)]
pub(super) struct Document<'a> {
    readers: Vec<Reader<'a>>,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
pub(super) struct Reader<'a> {
    id: &'a str,
    title: &'a str,
    dialect: &'a str,
    evidence: &'a str,
    measured: bool,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    readings: Vec<Seen<'a>>,
}

#[derive(Serialize)]
struct Seen<'a> {
    reader: &'a str,
    fate: &'static str,
    reason: &'a str,
    differs: &'a [String],
    held: Option<Held<'a>>,
}

#[derive(Serialize)]
struct Held<'a> {
    name: Value,
    description: Value,
    tools: Value,
    denied_tools: Value,
    model: Option<Value>,
    color: Option<Value>,
    /// None for many files: it would be repeated eight times for each.
    prompt: Option<&'a str>,
}

impl<'a> Document<'a> {
    pub(super) fn new(readers: &'a Readers) -> Self {
        let prompts = readers.prompts;
        Self {
            readers: readers.readers.iter().map(Into::into).collect(),
            files: readers
                .files
                .iter()
                .map(|file| File::new(file, prompts))
                .collect(),
        }
    }
}

impl<'a> From<&'a wit::Reader> for Reader<'a> {
    fn from(reader: &'a wit::Reader) -> Self {
        Self {
            id: &reader.id,
            title: &reader.title,
            dialect: &reader.dialect,
            evidence: &reader.evidence,
            measured: reader.measured,
        }
    }
}

impl<'a> File<'a> {
    fn new(file: &'a Readings, prompts: bool) -> Self {
        let seen = |seen: &'a wit::Seen| Seen {
            reader: &seen.reader,
            fate: words::fate(seen.fate),
            reason: &seen.reason,
            differs: &seen.differs,
            held: seen.agent.as_ref().map(|agent| Held {
                name: value(&agent.name),
                description: value(&agent.description),
                tools: tools(&agent.tools),
                denied_tools: tools(&agent.denied_tools),
                model: agent.model.as_ref().map(value),
                color: agent.color.as_ref().map(value),
                prompt: prompts.then_some(&*agent.prompt),
            }),
        };
        Self {
            path: &file.path,
            readings: file.seen.iter().map(seen).collect(),
        }
    }
}

/// The value as the reader holds it: a number is a number.
fn value(held: &wit::Held) -> Value {
    let text = || Value::String(held.value.clone());
    match &*held.kind {
        "text" => text(),
        _ => serde_json::from_str(&held.value).unwrap_or_else(|_| text()),
    }
}

fn tools(tools: &wit::HeldTools) -> Value {
    match tools {
        wit::HeldTools::Nothing => Value::Null,
        wit::HeldTools::All => Value::String("*".to_owned()),
        wit::HeldTools::Only(names) => names.iter().cloned().map(Value::String).collect(),
    }
}
