//! Agents as an object: name to definition, with the prompt in `prompt`. JSON from the command line is YAML, so spans need no extra parser.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::draft::prompt;
use super::{Document, INLINE_PATH, findings, place};
use crate::decode::{Input, check_enumerations, decode};
use crate::definition::Definition;
use crate::diagnostic::{Anchor, Finding};
use crate::dialect::{Canonical, Dialect, Json, Verdict};
use crate::limits::YAML_NODES;
use crate::mentions::Mentions;
use crate::rules;
use crate::settings;
use crate::source::Source;
use crate::span::Span;
use crate::verdict::Judgement;
use crate::yaml::{self, Entry, Kind, Node, Reading};

/// Reads the agents of a JSON object. Fails if the text is not one.
pub fn read_inline(text: &str, dialect: &Dialect) -> Result<Vec<Document>, String> {
    if !text.trim_start().starts_with('{') {
        return Err("it is not a JSON object of agents by name".to_owned());
    }
    let document = yaml::read(text, 0).map_err(|error| error.message)?;
    let source = Source::new(text.as_bytes());
    let root = document.root.as_ref();
    Ok(read_map(Some(INLINE_PATH), &source, root, dialect))
}

/// Reads the agents in maps of a file of settings, whose other keys and comments do not matter: without findings, because the rules and
/// their fixes are about Markdown. Empty if the file cannot be read. If agents have files under `file_key`, those with a file are left out,
/// others only have a description, and values that are not maps are skipped.
pub(crate) fn read_settings(
    path: &str,
    contents: &[u8],
    keys: &[String],
    dialect: &Dialect,
    file_key: Option<&str>,
) -> Vec<Document> {
    let source = Source::new(contents);
    let root = settings::read(path, &source, Json::Lenient).ok();
    let maps = root
        .iter()
        .flat_map(|root| keys.iter().filter_map(|key| root.get(key)));
    let Some(file_key) = file_key else {
        return maps
            .flat_map(|map| read_map(None, &source, Some(map), dialect))
            .collect();
    };
    let mut maps: Vec<Node> = maps.cloned().collect();
    for map in &mut maps {
        let Kind::Mapping(entries) = &mut map.kind else {
            continue;
        };
        entries.retain_mut(|entry| {
            let has_file = entry.value.get(file_key).is_some();
            let Kind::Mapping(values) = &mut entry.value.kind else {
                return false;
            };
            values.retain(|value| value.key.as_text() == Some("description"));
            !has_file
        });
    }
    maps.iter()
        .flat_map(|map| read_map(None, &source, Some(map), dialect))
        .collect()
}

fn read_map(path: Option<&str>, source: &Source<'_>, map: Option<&Node>, dialect: &Dialect) -> Vec<Document> {
    let entries = map.map(Node::entries).unwrap_or_default();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let documents = entries.iter().enumerate().map(|(at, entry)| {
        let mut judgement = Judgement::default();
        let first = *names.entry(name(entry).to_owned()).or_insert(at);
        if first != at {
            report_duplicate(entry, &entries[first], &mut judgement);
        }
        let definition = match entry.value.kind {
            Kind::Mapping(_) if entry.value.count() > YAML_NODES => too_large(entry, &mut judgement),
            Kind::Mapping(_) => definition(&source.text, entry, dialect, &mut judgement),
            _ => nothing(entry, &mut judgement),
        };
        Document {
            anchor: path.map_or_else(Anchor::default, |_| Anchor::new(source, entry.key.span)),
            reading: Reading::Strict,
            outcome: judgement.outcome(),
            definition,
            ignores_fields: false,
            diagnostics: path.map_or_else(Vec::new, |path| place(path, source, judgement.findings)),
            suppressed: Vec::new(),
            ignores: Vec::new(),
            mentions: Mentions::default(),
        }
    });
    documents.collect()
}

fn name(entry: &Entry) -> &str {
    entry.key.as_text().unwrap_or_default()
}

fn definition(text: &str, entry: &Entry, dialect: &Dialect, judgement: &mut Judgement) -> Definition {
    let is_field = |key: &str| dialect.key(key).is_some_and(|key| key.field == Canonical::Prompt);
    let is_prompt = |key: &str| key == "prompt" || is_field(key);
    let named = with_name(&entry.value, name(entry), entry.key.span, &is_prompt);
    let input = Input {
        text,
        root: Some(&named),
        opening: entry.key.span,
        stem: name(entry),
    };
    let mut definition = decode(dialect, &input, judgement);
    // The first field is the inserted name.
    definition.fields.remove(0);
    let mut values = entry.value.entries().iter();
    let body = values.find(|value| value.key.as_text().is_some_and(is_prompt));
    let body = body.and_then(|body| body.value.as_text());
    definition.system_prompt = prompt(dialect, body.unwrap_or_default());
    findings::empty_prompt(&definition, entry.key.span, dialect, judgement);
    check_enumerations(&mut definition, dialect, judgement);
    definition
}

/// The map with its key in the object as `name`, and without its prompt.
fn with_name(node: &Node, name: &str, span: Span, is_prompt: &dyn Fn(&str) -> bool) -> Node {
    let mut named = node.clone();
    if let Kind::Mapping(entries) = &mut named.kind {
        let is_replaced = |key: &str| key == "name" || is_prompt(key);
        entries.retain(|entry| !entry.key.as_text().is_some_and(is_replaced));
        let key = Node::text("name", span);
        let value = Node::text(name, span);
        entries.insert(0, Entry { key, value });
    }
    named
}

fn nothing(entry: &Entry, judgement: &mut Judgement) -> Definition {
    let message = format!("`{}` is {}, not an object", name(entry), entry.value.describe());
    judgement.judge(Verdict::Dropped, &message);
    let finding = Finding::new(&rules::wrong_type::RULE, entry.value.span, message);
    judgement.find(finding);
    Definition {
        name: name(entry).to_owned(),
        ..Definition::default()
    }
}

/// As of a frontmatter: what is made of the values need not be linear in their number.
fn too_large(entry: &Entry, judgement: &mut Judgement) -> Definition {
    judgement.judge(Verdict::Dropped, "it has too many values");
    Definition {
        name: name(entry).to_owned(),
        ..Definition::default()
    }
}

fn report_duplicate(entry: &Entry, first: &Entry, judgement: &mut Judgement) {
    let message = format!("duplicate `{}`", name(entry));
    let finding = Finding::new(&rules::duplicate_key::RULE, entry.key.span, message)
        .related(first.key.span, "first here")
        .help("remove one of the two");
    judgement.find(finding);
}
