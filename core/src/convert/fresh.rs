//! New files, written like converted ones.

use alloc::string::String;
use alloc::vec::Vec;

use super::fields::filling;
use super::grants::Grants;
use super::plan::Plan;
use super::tools::{Speaker, with_permissions};
use crate::decode::rules;
use crate::definition::{Definition, ToolFilter};
use crate::dialect::{Canonical, Dialect, Shape, Verdict};
use crate::write::{self, Draft, Refusal, Value};

/// Writes a draft as a file of a dialect: tools as permissions where the dialect's own list is deprecated, and with the keys that decide
/// the kind of agent.
///
/// Fails with every part of the draft that the dialect cannot express.
pub fn render(draft: &Draft, dialect: &Dialect) -> Result<String, Vec<Refusal>> {
    let mut draft = draft.clone();
    by_permissions(&mut draft, dialect);
    // Required fields are left to the author.
    for key in dialect.keys.iter().filter(|key| key.missing == Verdict::Fine) {
        if let Some(value) = filling(key).filter(|_| draft.get(key.field.name()).is_none()) {
            draft.fields.push((key.field.name().into(), value));
        }
    }
    write::render(&draft, dialect)
}

/// Replaces a list of tools by permissions, if the dialect's list is a map of switches.
fn by_permissions(draft: &mut Draft, dialect: &Dialect) {
    let switched = dialect
        .keys
        .iter()
        .any(|key| key.field == Canonical::Tools && key.shape == Shape::Switches);
    if !switched || draft.get("permissions").is_some() {
        return;
    }
    let Some(tools) = draft.get("tools").and_then(listed) else {
        return;
    };
    let definition = Definition {
        tools,
        ..Definition::default()
    };
    let grants = Grants::of(dialect, &definition);
    let mut plan = Plan::default();
    if let Some(speaker) = Speaker::new(dialect, String::new(), &mut plan) {
        speaker.say(&grants, &dialect.id);
    }
    draft.fields.retain(|(field, _)| field != "tools");
    let permissions = plan
        .draft
        .fields
        .into_iter()
        .filter(|(field, _)| field == "permissions");
    draft
        .fields
        .extend(permissions.map(|(field, value)| (field, with_permissions(value, &grants.others))));
}

/// The tools of a value; none if it is a map.
fn listed(value: &Value) -> Option<ToolFilter> {
    match value {
        Value::Tools(filter) => Some(filter.clone()),
        Value::Entered(text) if text.contains(':') => None,
        Value::Entered(text) => match text.trim() {
            "" => Some(ToolFilter::None),
            "*" => Some(ToolFilter::All),
            text => Some(ToolFilter::Only(rules(text))),
        },
        _ => None,
    }
}
