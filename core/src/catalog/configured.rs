//! Agents in files of settings.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use super::Project;
use super::slots::{Slot, slots};
use crate::definition::Definition;
use crate::dialect::Dialect;
use crate::document::{Document, read_settings};
use crate::files::{Files, Stamp, join};
use crate::json::quote;
use crate::limits::{FILE_BYTES, SETTINGS_FILES};
use crate::places::{may_have_keys, normal};
use crate::verdict::Outcome;

/// What OpenCode replaces in its settings: by the contents of a file, relative to them, and by the value of an environment variable.
const FILE: &str = "{file:";
const VARIABLE: &str = "{env:";

/// Whether settings have agents of a dialect.
pub(crate) fn are_configured(files: &dyn Files, dialect: &Dialect, project: &Project) -> bool {
    let slots = slots(dialect, project);
    let mut settings = slots.iter().filter_map(Slot::settings);
    settings.any(|(file, key)| {
        let contents = read(files, file).unwrap_or_default();
        !read_settings(file, &contents, key, dialect).is_empty()
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

/// The directory of a file of settings, where the files are that it names.
pub(super) fn directory(file: &str) -> &str {
    file.rsplit_once('/').map_or(".", |(directory, _)| directory)
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

/// The agents in such a file.
pub(super) fn documents(slot: &Slot, contents: &[u8], dialect: &Dialect) -> Vec<Document> {
    let Some((file, key)) = slot.settings() else {
        return Vec::new();
    };
    let mut documents = read_settings(file, contents, key, dialect);
    for document in &mut documents {
        if let Some(unread) = unread(&document.definition.system_prompt)
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

/// The first part of a prompt that was to be replaced.
fn unread(prompt: &str) -> Option<&str> {
    let from = [FILE, VARIABLE]
        .iter()
        .filter_map(|opening| prompt.find(opening))
        .min()?;
    let length = prompt[from..].find('}')?;
    prompt.get(from..=from + length)
}
