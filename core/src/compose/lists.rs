//! What `add` and `remove` do to an inherited list.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::build::Build;
use super::finder::Finder;
use super::header::{Change, Named};
use super::part::Field;
use crate::closest::closest;
use crate::decode::{tool_rule, tools_of};
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Canonical, Dialect, Extent, Key, Shape};
use crate::rules;
use crate::span::Span;
use crate::write::{self, Value};
use crate::yaml::{Node, Plain, read};

/// The entries of a list.
enum List {
    /// It allows everything, so that nothing can be added or removed.
    Everything,
    Of(Vec<String>),
}

/// Applies changes of one file to inherited fields.
pub(super) struct Lists<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) build: &'a Build,
}

impl Lists<'_> {
    /// The fields with the list of this change changed; removals come first. None if that is not possible.
    pub(super) fn changed(
        &self,
        fields: &[Rc<Field>],
        field: &Named,
        remove: &[&Change],
        add: &[&Change],
        finder: &mut Finder,
    ) -> Option<Field> {
        let key = self.key(field, finder)?;
        let old = fields.iter().find(|old| old.canonical == Some(key.field));
        let list = match self.list(key, old.map(|field| &field.value)) {
            Ok(list) => list,
            Err(reason) => {
                let message = format!("`{}` {reason}", field.name);
                finder.find(&rules::invalid_composition::RULE, &field.place, message);
                return None;
            }
        };
        let spelling = old.map_or(key.written(), |old| &*old.key);
        let mut places = old.map_or(Vec::new(), |old| old.places.clone());
        let mut items = match list {
            List::Of(items) => items,
            List::Everything => {
                if let Some(change) = remove.first() {
                    let message =
                        format!("`{spelling}` allows everything here, so there is no entry to remove");
                    finder.find(&rules::invalid_composition::RULE, &change.field.place, message);
                }
                return None;
            }
        };
        for change in remove {
            places.push(change.field.place.clone());
            for (entry, from) in self.entries(change, finder) {
                match items.iter().position(|item| *item == entry) {
                    Some(at) => drop(items.remove(at)),
                    None => {
                        let message = format!("`{entry}` is not in the inherited `{spelling}`");
                        finder.find(&rules::unmatched_removal::RULE, &from.place, message);
                    }
                }
            }
        }
        for change in add {
            places.push(change.field.place.clone());
            for (entry, _) in self.entries(change, finder) {
                if !items.contains(&entry) {
                    items.push(entry);
                }
            }
        }
        let value = match &key.shape {
            Shape::Tools(_) if items.is_empty() => Value::Tools(ToolFilter::None),
            Shape::Tools(_) => {
                let rules = items.iter().map(|item| tool_rule(item, Span::default()));
                Value::Tools(ToolFilter::Only(rules.collect()))
            }
            _ => Value::Words(items),
        };
        let line = write::line(self.dialect, key, spelling, &value, old.map(|old| &old.value));
        let read = line.and_then(|text| match read(&text, 0) {
            Ok(document) => Ok((document.root, text)),
            Err(error) => Err(error.message),
        });
        match read {
            Ok((root, text)) => Some(Field {
                key: spelling.to_owned(),
                canonical: Some(key.field),
                value: root?.get(spelling)?.clone(),
                text,
                places,
            }),
            Err(reason) => {
                finder.find(&rules::invalid_composition::RULE, &field.place, reason);
                None
            }
        }
    }

    /// The key of a list; none if the dialect has none of this name.
    fn key(&self, field: &Named, finder: &mut Finder) -> Option<&Key> {
        let (name, dialect) = (&*field.name, self.dialect);
        let canonical = || dialect.keys.iter().find(|key| key.field.name() == name);
        let known = dialect.key(name).or_else(canonical);
        let is_list = |key: &&Key| {
            matches!(
                key.shape,
                Shape::Tools(_) | Shape::Words | Shape::Spaced | Shape::Names
            )
        };
        let message = match known {
            Some(key) if is_list(&key) => return Some(key),
            Some(_) => format!("`{name}` is not a list in {}", dialect.id),
            None => format!("{} has no field `{name}`", dialect.id),
        };
        finder.find(&rules::invalid_composition::RULE, &field.place, message);
        None
    }

    /// The entries of a change, those of sets one by one, each with where it is written.
    fn entries<'c>(&self, change: &'c Change, finder: &mut Finder) -> Vec<(String, &'c Named)> {
        let mut entries = Vec::new();
        for entry in &change.entries {
            let Some(name) = entry.name.strip_prefix('@') else {
                entries.push((entry.name.clone(), entry));
                continue;
            };
            match self.build.sets.iter().find(|(known, _)| known == name) {
                Some((_, tools)) => entries.extend(tools.iter().map(|tool| (tool.clone(), entry))),
                None => {
                    let known = closest(name, self.build.sets.iter().map(|(known, _)| &**known));
                    let help = known.map(|known| format!("; did you mean `@{known}`?"));
                    let message = format!("no set `@{name}` in callsheet.toml{}", help.unwrap_or_default());
                    finder.find(&rules::unknown_set::RULE, &entry.place, message);
                }
            }
        }
        entries
    }

    fn list(&self, key: &Key, value: Option<&Node>) -> Result<List, &'static str> {
        let tools = &self.dialect.tools;
        let absent = |extent| match key.field {
            Canonical::Tools if extent == Extent::All => List::Everything,
            // Without patterns, every command is allowed.
            Canonical::AllowedCommands => List::Everything,
            _ => List::Of(Vec::new()),
        };
        let Some(value) = value else {
            return Ok(absent(tools.absent));
        };
        if let Shape::Tools(shape) = &key.shape {
            return match tools_of(shape, value) {
                Ok(ToolFilter::Null | ToolFilter::Absent) => Ok(absent(tools.null)),
                Ok(ToolFilter::All) => Ok(List::Everything),
                Ok(ToolFilter::None) => Ok(List::Of(Vec::new())),
                Ok(ToolFilter::Only(rules)) => Ok(List::Of(rules.iter().map(ToolRule::written).collect())),
                Err(_) => Err("is not a list of tools here"),
            };
        }
        let items = match (value.items(), value.plain()) {
            (Some(items), _) => {
                let texts: Option<Vec<&str>> = items.iter().map(Node::as_text).collect();
                texts.map(|texts| {
                    texts
                        .into_iter()
                        .flat_map(|text| item(&key.shape, text))
                        .collect()
                })
            }
            (None, Some(Plain::Null)) => Some(Vec::new()),
            (None, Some(Plain::Text(text))) => Some(key.shape.words(text).map(ToOwned::to_owned).collect()),
            (None, _) => None,
        };
        items.map(List::Of).ok_or("is not a list of text here")
    }
}

/// What an item of a list stands for.
fn item(shape: &Shape, text: &str) -> Vec<String> {
    match shape {
        Shape::Spaced => shape.words(text).map(ToOwned::to_owned).collect(),
        _ => alloc::vec![text.trim().to_owned()],
    }
}
