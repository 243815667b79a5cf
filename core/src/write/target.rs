//! The keys of a file that changes apply to, and their new values.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::settle::settle;
use super::{Change, Refusal, Value};
use crate::closest::closest;
use crate::definition::ToolFilter;
use crate::dialect::{Canonical, Dialect, Key};
use crate::order;
use crate::yaml::Entry;

/// A change that can be made.
pub(super) struct Target<'a> {
    /// The rule for the key; none if the dialect does not know it.
    pub(super) key: Option<&'a Key>,
    /// The key as spelled in the file.
    pub(super) spelling: String,
    /// The new value; none removes the key.
    pub(super) value: Option<Value>,
}

impl Target<'_> {
    /// Whether it changes this key.
    pub(super) fn is(&self, spelling: &str) -> bool {
        let takes_all =
            |key: &Key| self.value.is_none() && key.spellings.iter().any(|known| known == spelling);
        self.spelling == spelling || self.key.is_some_and(takes_all)
    }
}

/// The last entry of a key: the one that counts.
pub(super) fn last<'a>(entries: &'a [Entry], spelling: &str) -> Option<&'a Entry> {
    let is_it = |entry: &&Entry| entry.key.as_text() == Some(spelling);
    entries.iter().rev().find(is_it)
}

/// The changes in the order of the table. Fails with all impossible ones.
pub(super) fn targets<'a>(
    entries: &[Entry],
    dialect: &'a Dialect,
    changes: &[Change],
) -> Result<Vec<Target<'a>>, Vec<Refusal>> {
    let (mut targets, mut refusals) = (Vec::<Target<'_>>::new(), Vec::new());
    for change in changes {
        match target(entries, dialect, change, changes) {
            Ok(target) if targets.iter().any(|other| other.is(&target.spelling)) => refusals.push(Refusal {
                reason: format!("`{}` is changed twice", target.spelling),
                field: change.key.clone(),
            }),
            Ok(target) => targets.push(target),
            Err(reason) => refusals.push(Refusal {
                field: change.key.clone(),
                reason,
            }),
        }
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    // New keys are written in the order of the table.
    let rank = |target: &Target<'_>| {
        let is_it = |known: &Key| target.key.is_some_and(|key| key.field == known.field);
        dialect.keys.iter().position(is_it)
    };
    Ok(order::sorted(targets, |a, b| rank(a).cmp(&rank(b))))
}

fn target<'a>(
    entries: &[Entry],
    dialect: &'a Dialect,
    change: &Change,
    changes: &[Change],
) -> Result<Target<'a>, String> {
    let named = |name: &str| {
        dialect
            .key(name)
            .or_else(|| dialect.keys.iter().find(|key| key.field.name() == name))
    };
    let Some(key) = named(&change.key) else {
        return only_in_file(entries, dialect, change);
    };
    let stands = |spelling: &&String| last(entries, spelling).is_some();
    let spelling = key.spellings.iter().find(stands);
    let others = |field: Canonical| {
        let key = named(field.name())?;
        let changed = changes
            .iter()
            .find(|change| named(&change.key).is_some_and(|it| it.field == key.field));
        match changed.map(|change| &change.value) {
            Some(Some(Value::Text(text) | Value::Entered(text))) => Some(text.clone()),
            Some(_) => None,
            None => {
                let mut stated = key
                    .spellings
                    .iter()
                    .filter_map(|spelling| last(entries, spelling));
                stated
                    .find_map(|entry| entry.value.as_text())
                    .map(ToOwned::to_owned)
            }
        }
    };
    let value = match &change.value {
        None | Some(Value::Tools(ToolFilter::Absent)) => None,
        Some(value) => Some(settle(dialect, key, value, &others)?),
    };
    if value.is_none() && key.is_required() {
        return Err(format!(
            "{} does not load {} without `{}`",
            dialect.id,
            dialect.kind.a(),
            key.written()
        ));
    }
    Ok(Target {
        key: Some(key),
        spelling: spelling.map_or(key.written(), |known| known).to_owned(),
        value,
    })
}

/// An unknown key may be changed if the file has it already.
fn only_in_file<'a>(entries: &[Entry], dialect: &Dialect, change: &Change) -> Result<Target<'a>, String> {
    if last(entries, &change.key).is_none() {
        return Err(unknown(dialect, &change.key));
    }
    match change.value {
        None | Some(Value::Text(_) | Value::Entered(_)) => Ok(Target {
            key: None,
            spelling: change.key.clone(),
            value: change.value.clone(),
        }),
        Some(_) => Err(format!(
            "{} does not know `{}`, so it must be text",
            dialect.id, change.key
        )),
    }
}

fn unknown(dialect: &Dialect, name: &str) -> String {
    let field = |key: &str| {
        dialect
            .keys
            .iter()
            .any(|known| known.spellings.iter().any(|it| it == key))
    };
    if name.split_once('.').is_some_and(|(outer, _)| field(outer)) {
        return format!(
            "{} has no field `{name}`: keys inside a field cannot be set",
            dialect.id
        );
    }
    let spellings = dialect.keys.iter().flat_map(|key| &key.spellings);
    match closest(name, spellings.map(|spelling| &**spelling)) {
        Some(near) => format!("{} has no field `{name}`; did you mean `{near}`?", dialect.id),
        None => format!("{} has no field `{name}`", dialect.id),
    }
}
