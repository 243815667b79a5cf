//! New files and changes, written like converted ones.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::fields::filling;
use super::grants::Grants;
use super::plan::Plan;
use super::tools::{Speaker, with_permissions};
use crate::decode::rules;
use crate::definition::{Definition, ToolFilter};
use crate::diagnostic::Edit;
use crate::dialect::{Canonical, Dialect, Key, Shape, Verdict};
use crate::write::{self, Change, Draft, EditError, Refusal, Value};
use crate::yaml::Node;

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

/// Changes a file of a dialect, with tools as permissions where these override the dialect's own list.
///
/// Fails as [`write::edit`], and if the file's permissions say more than a list of tools can.
pub fn edit(
    bytes: &[u8],
    dialect: &Dialect,
    changes: &[Change],
    prompt: Option<&str>,
) -> Result<Vec<Edit>, EditError> {
    let of = |field| dialect.keys.iter().find(|key| key.field == field);
    let (Some(tools), Some(key)) = (of(Canonical::Tools), of(Canonical::Permissions)) else {
        return write::edit(bytes, dialect, changes, prompt);
    };
    let is_of =
        |change: &Change, key: &Key| change.key == key.field.name() || key.spellings.contains(&change.key);
    let is_set = changes.iter().any(|change| is_of(change, key));
    let list = changes
        .iter()
        .position(|change| is_of(change, tools))
        .filter(|_| !is_set);
    let permissions = list.and_then(|at| permissions(dialect, changes[at].value.as_ref()?));
    let (Some(at), Some(permissions)) = (list, permissions) else {
        return write::edit(bytes, dialect, changes, prompt);
    };
    if let Some(spelling) = key.spellings.iter().find(|it| says_more(bytes, it)) {
        let reason = format!("`{spelling}` says more than a list of tools can: set it instead");
        let field = changes[at].key.clone();
        return Err(EditError::Refused(Vec::from([Refusal { field, reason }])));
    }
    let mut changes = changes.to_vec();
    changes[at].value = None;
    changes.push(Change {
        key: key.written().into(),
        value: permissions,
    });
    write::edit(bytes, dialect, &changes, prompt)
}

/// Whether a key of a file has anything but a verdict for each tool.
fn says_more(bytes: &[u8], spelling: &str) -> bool {
    let is_verdict = |node: &Node| matches!(node.as_text(), Some("allow" | "ask" | "deny"));
    write::stated(bytes, spelling).is_some_and(|stated| {
        stated.entries().is_empty() || !stated.entries().iter().all(|it| is_verdict(&it.value))
    })
}

/// Replaces a list of tools by permissions, if the dialect's list is a map of switches.
fn by_permissions(draft: &mut Draft, dialect: &Dialect) {
    if draft.get("permissions").is_some() {
        return;
    }
    let Some(permissions) = draft.get("tools").and_then(|tools| permissions(dialect, tools)) else {
        return;
    };
    draft.fields.retain(|(field, _)| field != "tools");
    draft
        .fields
        .extend(permissions.map(|value| ("permissions".into(), value)));
}

/// A list of tools as permissions, which are none for all tools; none if it is a map, or the dialect's list is not one of switches.
fn permissions(dialect: &Dialect, tools: &Value) -> Option<Option<Value>> {
    let is_switched = |key: &Key| key.field == Canonical::Tools && key.shape == Shape::Switches;
    if !dialect.keys.iter().any(is_switched) {
        return None;
    }
    let definition = Definition {
        tools: listed(tools)?,
        ..Definition::default()
    };
    let grants = Grants::of(dialect, &definition);
    let mut plan = Plan::default();
    if let Some(speaker) = Speaker::new(dialect, String::new(), &mut plan) {
        speaker.say(&grants, &dialect.id);
    }
    let permissions = plan.draft.get("permissions").cloned();
    Some(permissions.map(|value| with_permissions(value, &grants.others)))
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
