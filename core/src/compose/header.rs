//! The `callsheet` key of a source.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::decode::rules as tools;
use crate::definition::ToolRule;
use crate::diagnostic::{Diagnostic, Place, Placer};
use crate::rules;
use crate::yaml::{Entry, Kind, Node, Plain};

/// The keys in it.
const KEYS: [&str; 4] = ["extends", "include", "add", "remove"];

/// A name, and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) place: Place,
}

/// Entries that a list gets or loses.
#[derive(Debug)]
pub(super) struct Change {
    /// The field of the list.
    pub(super) field: Named,
    pub(super) entries: Vec<Named>,
}

/// What a source is made of, besides its own fields and prompt.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) extends: Vec<Named>,
    pub(super) include: Vec<Named>,
    pub(super) add: Vec<Change>,
    pub(super) remove: Vec<Change>,
}

impl Header {
    /// As far as it can be read; the rest is reported.
    pub(super) fn read(value: &Node, placer: &Placer<'_>, found: &mut Vec<Diagnostic>) -> Self {
        let mut header = Self::default();
        let mut reader = Reader { placer, found };
        if !matches!(value.kind, Kind::Mapping(_)) && value.plain() != Some(Plain::Null) {
            reader.refuse(value, format!("`callsheet` is {}, not a map", value.describe()));
        }
        for Entry { key, value } in value.entries() {
            match key.as_text().unwrap_or_default() {
                "extends" => header.extends = reader.texts("extends", value),
                "include" => header.include = reader.texts("include", value),
                "add" => header.add = reader.changes("add", value),
                "remove" => header.remove = reader.changes("remove", value),
                other => {
                    let known = closest(other, KEYS.into_iter());
                    let help = known.map(|known| format!("; did you mean `{known}`?"));
                    let help = help.unwrap_or_default();
                    reader.refuse(key, format!("unknown key `{other}` in `callsheet`{help}"));
                }
            }
        }
        header
    }
}

struct Reader<'a, 'b> {
    placer: &'a Placer<'b>,
    found: &'a mut Vec<Diagnostic>,
}

impl Reader<'_, '_> {
    fn refuse(&mut self, node: &Node, message: String) {
        let place = self.placer.place(node.span);
        let rule = &rules::invalid_composition::RULE;
        self.found.push(Diagnostic::new(rule, place, message));
    }

    fn named(&self, node: &Node, name: &str) -> Named {
        Named {
            name: name.to_owned(),
            place: self.placer.place(node.span),
        }
    }

    /// Text, or a list of it.
    fn texts(&mut self, key: &str, value: &Node) -> Vec<Named> {
        let items = value.items().unwrap_or(core::slice::from_ref(value));
        let mut texts = Vec::new();
        for item in items {
            match item.plain() {
                Some(Plain::Text(text)) if !text.trim().is_empty() => texts.push(self.named(item, text)),
                Some(Plain::Text(_)) => self.refuse(item, format!("`{key}` has an empty entry")),
                _ => self.refuse(item, format!("`{key}` is {}, not text", item.describe())),
            }
        }
        texts
    }

    /// A map of fields; the entries of each are a list, or text with commas.
    fn changes(&mut self, key: &str, value: &Node) -> Vec<Change> {
        if !matches!(value.kind, Kind::Mapping(_)) {
            self.refuse(value, format!("`{key}` is {}, not a map", value.describe()));
        }
        let mut changes = Vec::new();
        for entry in value.entries() {
            let field = self.named(&entry.key, entry.key.as_text().unwrap_or_default());
            let texts = self.texts(key, &entry.value);
            let is_list = entry.value.items().is_some();
            let split = |text: Named| {
                if is_list {
                    return Vec::from([text]);
                }
                let parts = tools(&text.name);
                let named = |rule: &ToolRule| Named {
                    name: rule.written(),
                    place: text.place.clone(),
                };
                parts.iter().map(named).collect()
            };
            changes.push(Change {
                field,
                entries: texts.into_iter().flat_map(split).collect(),
            });
        }
        changes
    }
}
