//! Agents in files of settings.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use super::Project;
use super::slots::{Slot, slots};
use crate::definition::Definition;
use crate::diagnostic::{Diagnostic, Place};
use crate::dialect::{Canonical, Dialect, Json};
use crate::document::{Document, read_settings};
use crate::files::{Files, Stamp, join};
use crate::json::quote;
use crate::limits::{FILE_BYTES, SETTINGS_FILES};
use crate::places::{directory, may_have_keys, normal};
use crate::rules;
use crate::settings::{self, FILE, placeholder};
use crate::source::Source;
use crate::verdict::Outcome;
use crate::yaml::Node;

/// Whether settings have agents of a dialect.
pub(crate) fn are_configured(files: &dyn Files, dialect: &Dialect, project: &Project) -> bool {
    let slots = slots(dialect, project);
    slots.iter().any(|slot| {
        let settings = slot.settings().and_then(|file| read(files, file));
        let contents = settings.unwrap_or_default();
        !documents(slot, &contents, dialect).is_empty() || !named(slot, &contents).is_empty()
    })
}

/// Such a file with the contents of those that it names, if it can be read.
pub(super) fn read(files: &dyn Files, file: &str) -> Option<Vec<u8>> {
    let contents = files
        .read(file)
        .ok()
        .filter(|contents| contents.len() <= FILE_BYTES)?;
    Some(match core::str::from_utf8(&contents) {
        Ok(text) if text.contains(FILE) => replaced(files, directory(file), text).into_bytes(),
        _ => contents,
    })
}

/// What cannot be read, may have keys, or is too much stays as it is.
fn replaced(files: &dyn Files, directory: &str, text: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let (mut rest, mut count) = (text, 0);
    while count < SETTINGS_FILES
        && let Some(at) = rest.find(FILE)
        && let Some(length) = rest[at..].find('}')
    {
        let (before, named) = rest.split_at(at);
        let (named, after) = named.split_at(length + 1);
        let path = normal(&join(directory, &named[FILE.len()..length]));
        let contents = Some(path).filter(|path| !may_have_keys(path));
        let contents = contents.and_then(|path| String::from_utf8(files.read(&path).ok()?).ok());
        replaced += before;
        match contents.filter(|contents| replaced.len() + contents.len() <= FILE_BYTES) {
            Some(contents) => {
                let quoted = quote(contents.trim());
                replaced += &quoted[1..quoted.len() - 1];
            }
            None => replaced += named,
        }
        (rest, count) = (after, count + 1);
    }
    replaced + rest
}

/// A file that settings name for an agent.
#[derive(Debug, PartialEq)]
pub(super) struct NamedFile {
    pub(super) path: Rc<str>,
    /// The agent's name, if the file has none.
    pub(super) name: String,
    /// Its description, if the file has none.
    pub(super) description: String,
}

impl NamedFile {
    /// Adds what the file lacks.
    pub(super) fn complete(&self, document: &mut Document) {
        let definition = &mut document.definition;
        if definition.field(Canonical::Name).is_none() {
            definition.name.clone_from(&self.name);
        }
        if definition.description.trim().is_empty() {
            definition.description.clone_from(&self.description);
        }
        if definition.description.trim().is_empty() && document.outcome.loads() {
            let reason = "`description` is missing, here and in the settings that name this file";
            document.outcome = Outcome::Dropped(reason.to_string());
            let place = Place::beginning(&self.path);
            let missing = Diagnostic::new(&rules::missing_field::RULE, place, reason.to_string());
            document.diagnostics.insert(0, missing);
        }
    }
}

/// The files that settings name for agents.
pub(super) fn named(slot: &Slot, contents: &[u8]) -> Vec<NamedFile> {
    let (Some(file), Some(file_key)) = (slot.settings(), &slot.file_key) else {
        return Vec::new();
    };
    let root = settings::read(file, &Source::new(contents), Json::Lenient).ok();
    let maps = root
        .iter()
        .flat_map(|root| slot.keys.iter().filter_map(|key| root.get(key)));
    let entries = maps.flat_map(Node::entries).take(SETTINGS_FILES);
    let named = entries.filter_map(|entry| {
        let text = |key| entry.value.get(key).and_then(Node::as_text);
        let named = text(file_key)?;
        let path = normal(&join(directory(file), named));
        let is_here = !named.is_empty() && !named.starts_with(['/', '~', '$']) && !may_have_keys(&path);
        is_here.then(|| NamedFile {
            path: path.into(),
            name: entry.key.as_text().unwrap_or_default().to_string(),
            description: text("description").unwrap_or_default().to_string(),
        })
    });
    named.collect()
}

/// The agents in such a file.
pub(super) fn documents(slot: &Slot, contents: &[u8], dialect: &Dialect) -> Vec<Document> {
    let Some(file) = slot.settings() else {
        return Vec::new();
    };
    let mut documents = read_settings(file, contents, &slot.keys, dialect, slot.file_key.as_deref());
    for document in &mut documents {
        if let Some(mode) = &slot.mode {
            document.definition.set_mode(mode);
        }
        if let Some(unread) = placeholder(&document.definition.system_prompt)
            && document.outcome.loads()
        {
            let reason = format!("its prompt needs `{unread}`, which cannot be read here");
            document.outcome = Outcome::Withheld(reason);
        }
    }
    documents
}

/// One that changes with what a definition says, but not with its place in the file.
pub(super) fn stamp(definition: &Definition) -> Stamp {
    let mut hash = Sha256::new();
    let fields = definition.fields.iter();
    for text in fields
        .flat_map(|field| [&field.key, &field.value])
        .chain([&definition.system_prompt])
    {
        hash.update(text);
        hash.update([0]);
    }
    let digest = hash.finalize();
    let first = digest.first_chunk().copied().unwrap_or_default();
    Stamp {
        size: u64::from_le_bytes(first),
        modified: None,
    }
}
