//! Sources of rulesync, which have a section for each tool: what it writes for one of them.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::fields::filling;
use super::plan::{Fate, Plan};
use super::values::shown;
use crate::dialect::{Canonical, Dialect, Format, Section, Verdict};
use crate::frontmatter::split;
use crate::limits::FRONTMATTER_BYTES;
use crate::source::Source;
use crate::span::Span;
use crate::write::{Value, verbatim};
use crate::yaml::{Entry, Kind, Node, Plain, read};

/// The name of the format.
pub(super) const NAME: &str = "rulesync";

const FOLDER: &str = ".rulesync/subagents";

/// The stem of a source's file; none for any other file.
pub(super) fn stem(path: &str) -> Option<&str> {
    let (folder, file) = path.rsplit_once('/')?;
    let above = folder.strip_suffix(FOLDER)?;
    let is_source = above.is_empty() || above.ends_with('/');
    file.strip_suffix(".md").filter(|_| is_source)
}

/// The file of a tool that rulesync writes for a source, with the fate of each key in the plan. None if it is refused.
///
/// Fails with the reason that rulesync does not read the source.
pub(super) fn written(bytes: &[u8], target: &Dialect, plan: &mut Plan) -> Result<Option<String>, String> {
    let source = Source::of_file(bytes);
    let (root, prompt) = parts(&source)?;
    let find = |key: &str| root.iter().find(|entry| entry.key.as_text() == Some(key));
    check(find("name"), find("description"))?;
    let Some(section) = &target.rulesync else {
        let reason = format!("it is not known what {NAME} writes for {}", target.id);
        plan.refuse("file", "", &reason);
        return Ok(None);
    };
    if let Some(entry) = find("targets") {
        let listed = entry.value.items().ok_or("`targets` is not a list")?;
        let is_meant =
            |item: &Node| matches!(item.as_text(), Some(word) if word == "*" || word == section.name);
        if !listed.iter().any(is_meant) {
            let reason = format!("`{}` is not among them", section.name);
            plan.refuse("targets", &text_of(&entry.value), &reason);
            return Ok(None);
        }
    }
    let own = find(&section.name);
    if let Some(own) = own.filter(|own| !matches!(own.value.kind, Kind::Mapping(_))) {
        let kind = own.value.describe();
        return Err(format!("`{}` is {kind}, not a map", section.name));
    }
    let mut result = merged(&root, own, section);
    for entry in &result {
        let value = text_of(&entry.value);
        plan.say(key(entry), Fate::Kept, &value, &value, "");
    }
    if own.is_none() {
        let (name, id) = (&section.name, &target.id);
        let reason = format!("no section `{name}`: {id} decides on tools and model");
        plan.say(name, Fate::Approximated, "", "", &reason);
    }
    add(&mut result, target, prompt, plan);
    plan.say("prompt", Fate::Kept, "", "", "");
    let ignored = own.map_or(&[][..], |own| own.value.entries()).iter();
    for entry in ignored.filter(|entry| section.ignores.iter().any(|it| it == key(entry))) {
        lost(plan, entry, &format!("{NAME} ignores it in `{}`", section.name));
    }
    let used = ["name", "description", "targets", &section.name];
    for entry in root.iter().filter(|entry| !used.contains(&key(entry))) {
        lost(
            plan,
            entry,
            &format!("{NAME} does not write it for {}", target.id),
        );
    }
    let text = verbatim(&result, prompt, target);
    if text.is_none() {
        plan.refuse(&section.name, "", "TOML cannot express a value in it");
    }
    Ok(text)
}

/// The keys and the prompt of a source.
fn parts<'a>(source: &'a Source<'_>) -> Result<(Vec<Entry>, &'a str), String> {
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    let parts = split(&source.text, start);
    let fences = parts.frontmatter.filter(|fences| fences.oddity.is_none());
    let fences = fences.ok_or("it has no frontmatter between two lines of `---`")?;
    let yaml = fences.yaml.of(&source.text);
    if yaml.len() > FRONTMATTER_BYTES {
        return Err("its frontmatter is too long".to_owned());
    }
    let document = read(yaml, 0).map_err(|error| format!("its YAML is invalid: {}", error.message))?;
    let root = document.root.map_or_else(|| Ok(Vec::new()), |root| keys(&root))?;
    Ok((root, parts.body.of(&source.text).trim()))
}

/// The common keys, and those of the section, which win.
fn merged(root: &[Entry], own: Option<&Entry>, section: &Section) -> Vec<Entry> {
    let is_taken = |name: &str| !section.ignores.iter().any(|ignored| ignored == name);
    let is_set = |name: &str| is_taken(name) && own.is_some_and(|own| own.value.get(name).is_some());
    let common = root
        .iter()
        .filter(|entry| ["name", "description"].contains(&key(entry)));
    let mut result: Vec<Entry> = common.filter(|entry| !is_set(key(entry))).cloned().collect();
    let own = own.map_or(&[][..], |own| own.value.entries()).iter();
    let own = own.filter(|entry| is_taken(key(entry)));
    result.extend(own.map(|entry| as_list(entry, section)));
    result
}

/// Adds what rulesync always writes, and the prompt if it is a key.
fn add(result: &mut Vec<Entry>, target: &Dialect, prompt: &str, plan: &mut Plan) {
    plan.draft.prompt = prompt.to_owned();
    for known in target.keys.iter().filter(|known| known.missing == Verdict::Fine) {
        let is_it = |entry: &Entry| known.spellings.iter().any(|name| name == key(entry));
        if let Some(Value::Text(word)) = filling(known).filter(|_| !result.iter().any(is_it)) {
            let reason = format!("{NAME} adds it");
            plan.say(known.written(), Fate::Approximated, "", &word, &reason);
            result.push(text_entry(known.written(), word));
        }
    }
    if target.format == Format::Toml && !prompt.is_empty() {
        let known = target.of_field(Canonical::Prompt);
        result.extend(known.map(|known| text_entry(known.written(), prompt.to_owned())));
    }
}

/// What rulesync requires of the common keys.
fn check(name: Option<&Entry>, description: Option<&Entry>) -> Result<(), String> {
    let is_text = |entry: &Entry| matches!(entry.value.plain(), Some(Plain::Text(_)));
    name.ok_or("it has no `name`")?;
    match name.into_iter().chain(description).find(|entry| !is_text(entry)) {
        Some(entry) => Err(format!(
            "`{}` is {}, not text",
            key(entry),
            entry.value.describe()
        )),
        None => Ok(()),
    }
}

/// The entries of a map without nulls, which rulesync drops.
fn keys(map: &Node) -> Result<Vec<Entry>, String> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for entry in map.entries() {
        let name = entry
            .key
            .as_text()
            .ok_or("a key of its frontmatter is not text")?;
        if name == "<<" {
            return Err("its frontmatter merges maps with `<<`".to_owned());
        }
        if !seen.insert(name) {
            return Err(format!("duplicate key `{name}`"));
        }
        if let Some(value) = without_nulls(&entry.value)? {
            kept.push(Entry {
                key: entry.key.clone(),
                value,
            });
        }
    }
    Ok(kept)
}

fn without_nulls(node: &Node) -> Result<Option<Node>, String> {
    let kind = match &node.kind {
        Kind::Mapping(_) => Kind::Mapping(keys(node)?),
        Kind::Sequence(items) => {
            let items: Result<Vec<Option<Node>>, String> = items.iter().map(without_nulls).collect();
            Kind::Sequence(items?.into_iter().flatten().collect())
        }
        Kind::Scalar { .. } if node.plain() == Some(Plain::Null) => return Ok(None),
        scalar @ Kind::Scalar { .. } => scalar.clone(),
    };
    Ok(Some(Node {
        kind,
        span: node.span,
        tag: node.tag.clone(),
    }))
}

/// The entry as rulesync writes it.
fn as_list(entry: &Entry, section: &Section) -> Entry {
    let mut entry = entry.clone();
    let is_listed = section.lists.iter().any(|listed| listed == key(&entry));
    if let Some(text) = entry.value.as_text().filter(|_| is_listed) {
        let item = (!text.is_empty()).then(|| entry.value.clone());
        entry.value.kind = Kind::Sequence(item.into_iter().collect());
    }
    entry
}

fn text_entry(key: &str, value: String) -> Entry {
    Entry {
        key: Node::text(key, Span::default()),
        value: Node::text(value, Span::default()),
    }
}

fn lost(plan: &mut Plan, entry: &Entry, reason: &str) {
    plan.say(key(entry), Fate::Dropped, &text_of(&entry.value), "", reason);
}

/// The key of an entry that was read.
fn key(entry: &Entry) -> &str {
    entry.key.as_text().unwrap_or_default()
}

/// A value for the report; empty for a map.
fn text_of(value: &Node) -> String {
    let words = value.items().unwrap_or(core::slice::from_ref(value));
    let words: Vec<&str> = words.iter().filter_map(Node::as_text).collect();
    shown(&words.join(", "))
}
