//! Whether a source grants more than a parent does.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::ToString;

use super::header::Named;
use super::merge::{Parent, text};
use super::part::{Field, Part};
use crate::convert::widening;
use crate::definition::{Definition, ToolFilter};
use crate::diagnostic::{Diagnostic, Label, Place};
use crate::dialect::{Canonical, Dialect, Dialects};
use crate::document;
use crate::limits::COMPARED_ENTRIES;
use crate::rules;

/// The fields that decide what an agent may do.
const FIELDS: [Canonical; 6] = [
    Canonical::Tools,
    Canonical::DeniedTools,
    Canonical::Permissions,
    Canonical::PermissionMode,
    Canonical::AllowedCommands,
    Canonical::ClaudePermissionMode,
];

/// What fields grant.
pub(super) struct Granted {
    definition: Definition,
}

impl Granted {
    pub(super) fn of(path: &str, fields: &[Rc<Field>], dialect: &Dialect, dialects: &Dialects) -> Self {
        let text = text(fields, &[]);
        let read = document::read_with_values(path, text.as_bytes(), dialect, dialects);
        Self {
            definition: read.0.definition,
        }
    }

    /// Whether it has too many entries to compare.
    pub(super) fn is_too_long(&self) -> bool {
        let definition = &self.definition;
        let listed = match &definition.tools {
            ToolFilter::Only(rules) => rules.len(),
            _ => 0,
        };
        listed + definition.denied_tools.len() + definition.permissions.len() > COMPARED_ENTRIES
    }
}

/// The error that a source grants more than a parent with the source's additions.
pub(super) fn wider(
    part: &Part,
    parent: &Parent<'_>,
    granted: &Granted,
    most: &Granted,
    dialect: &Dialect,
) -> Option<Diagnostic> {
    let (own, most) = (&granted.definition, &most.definition);
    let more = widening(dialect, own, most)?;
    let (place, emptied) = cause(part, parent.named);
    let message = match (&*more, emptied) {
        (_, Some(list)) if own.tools == ToolFilter::None => {
            format!("without an entry, `{list}` allows everything in {}", dialect.id)
        }
        (words, _) => format!("source grants more than {}: {words}", parent.path),
    };
    let mut found = Diagnostic::new(&rules::wider_than_parent::RULE, place, message);
    let stated = parent.merged.fields.iter().find(|field| is_of_rights(field));
    found.related = stated
        .and_then(|field| field.places.first())
        .map(|place| Label {
            place: place.clone(),
            text: "the parent's limit".to_string(),
        })
        .into_iter()
        .collect();
    found.help = Some("grant it with `add` under `callsheet`, or limit the file like its parent".to_string());
    Some(found)
}

fn is_of_rights(field: &Field) -> bool {
    field.canonical.is_some_and(|field| FIELDS.contains(&field))
}

/// What widens: a field of its own, else a list that it takes entries from, else the parent itself.
fn cause<'a>(part: &'a Part, named: &'a Named) -> (Place, Option<&'a str>) {
    let own = part.fields.iter().find(|field| is_of_rights(field));
    if let Some(place) = own.and_then(|field| field.places.first()) {
        return (place.clone(), None);
    }
    match part.header.remove.first() {
        Some(change) => (change.field.place.clone(), Some(&change.field.name)),
        None => (named.place.clone(), None),
    }
}
