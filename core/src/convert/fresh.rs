//! New files and changes, written like converted ones.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::fields::filling;
use super::grants::Grants;
use super::plan::{Fate, Loss, Plan};
use super::tools::{Speaker, with_permissions};
use crate::definition::{Definition, ToolFilter};
use crate::diagnostic::Edit;
use crate::dialect::{Canonical, Dialect, Key, Shape, Verdict};
use crate::phrase::listed;
use crate::vocabulary;
use crate::write::{self, Change, Draft, EditError, Refusal, Value, entered_tools};
use crate::yaml::{Entry, Kind, Plain};

/// Writes a draft as a file of a dialect: tools as permissions where the dialect's own list is deprecated, and with the keys that decide
/// the kind of agent.
///
/// Fails with every part of the draft that the dialect cannot express.
pub fn render(draft: &Draft, dialect: &Dialect) -> Result<String, Vec<Refusal>> {
    let mut draft = draft.clone();
    by_permissions(&mut draft, dialect).map_err(|refusal| Vec::from([refusal]))?;
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
    let changes = as_permissions(bytes, dialect, changes)?;
    write::edit(bytes, dialect, &changes, prompt)
}

fn as_permissions<'a>(
    bytes: &[u8],
    dialect: &Dialect,
    changes: &'a [Change],
) -> Result<Cow<'a, [Change]>, EditError> {
    let of = |field| dialect.of_field(field);
    let (Some(tools), Some(key)) = (of(Canonical::Tools), of(Canonical::Permissions)) else {
        return Ok(Cow::Borrowed(changes));
    };
    let is_of =
        |change: &Change, key: &Key| change.key == key.field.name() || key.spellings.contains(&change.key);
    let is_set = changes.iter().any(|change| is_of(change, key));
    let mut lists = changes
        .iter()
        .enumerate()
        .filter(|(_, change)| is_of(change, tools));
    let list = lists.find_map(|(at, change)| Some((at, permissions(dialect, change.value.as_ref()?)?)));
    let Some((at, value)) = list.filter(|_| !is_set) else {
        return Ok(Cow::Borrowed(changes));
    };
    let value = value.map_err(|refusal| EditError::Refused(Vec::from([refusal])))?;
    if let Some(spelling) = key.spellings.iter().find(|it| says_more(bytes, it)) {
        return Err(EditError::Refused(Vec::from([Refusal {
            field: changes[at].key.clone(),
            reason: format!("`{spelling}` says more than a list of tools can: set it instead"),
        }])));
    }
    let mut changes = changes.to_vec();
    changes[at].value = None;
    changes.push(Change {
        key: key.written().into(),
        value,
    });
    Ok(Cow::Owned(changes))
}

/// Whether a key of a file has anything but a verdict for each tool.
fn says_more(bytes: &[u8], spelling: &str) -> bool {
    let is_verdict = |entry: &Entry| matches!(entry.value.as_text(), Some("allow" | "ask" | "deny"));
    write::stated(bytes, spelling).is_some_and(|stated| match &stated.kind {
        Kind::Mapping(entries) => !entries.iter().all(is_verdict),
        _ => stated.plain() != Some(Plain::Null),
    })
}

/// Replaces a list of tools by permissions, if the dialect's list is a map of switches.
fn by_permissions(draft: &mut Draft, dialect: &Dialect) -> Result<(), Refusal> {
    if draft.get("permissions").is_some() {
        return Ok(());
    }
    let Some(permissions) = draft.get("tools").and_then(|tools| permissions(dialect, tools)) else {
        return Ok(());
    };
    let permissions = permissions?.map(|value| ("permissions".into(), value));
    draft.fields.retain(|(field, _)| field != "tools");
    draft.fields.extend(permissions);
    Ok(())
}

/// A list of tools as permissions, which are none for all tools; none if it is a map, or the dialect's list is not one of switches.
///
/// Fails for a tool of another product, which grants nothing here.
fn permissions(dialect: &Dialect, tools: &Value) -> Option<Result<Option<Value>, Refusal>> {
    let is_switched = |key: &Key| key.field == Canonical::Tools && key.shape == Shape::Switches;
    if !dialect.keys.iter().any(is_switched) {
        return None;
    }
    let definition = Definition {
        tools: tools_of(tools)?,
        ..Definition::default()
    };
    let grants = Grants::of(dialect, &definition);
    let rules = match &definition.tools {
        ToolFilter::Only(rules) => &rules[..],
        _ => &[],
    };
    let mut reason = rules.iter().find_map(|rule| foreign(dialect, &rule.tool));
    let mut plan = Plan::default();
    if let Some(speaker) = Speaker::new(dialect, String::new(), &mut plan) {
        speaker.say(&grants, &dialect.id);
    }
    // Unknown names may be tools of plugins.
    let is_loss = |loss: &&Loss| loss.fate == Fate::Refused && !grants.others.contains(&loss.from);
    let loss = plan.report.iter().find(is_loss);
    reason = reason.or_else(|| loss.map(|loss| format!("`{}`: {}", loss.from, loss.reason)));
    if let Some(reason) = reason {
        let field = "tools".into();
        return Some(Err(Refusal { field, reason }));
    }
    let permissions = plan.draft.get("permissions").cloned();
    Some(Ok(
        permissions.map(|value| with_permissions(value, &grants.others))
    ))
}

/// What is wrong with a tool of another product, whose name may look like that of a server's tool.
fn foreign(dialect: &Dialect, name: &str) -> Option<String> {
    let own = vocabulary::of(dialect.product());
    if own.is_some_and(|own| own.find(name).is_some()) {
        return None;
    }
    if name.starts_with('[') {
        return Some(format!("`{name}` begins a list that does not end"));
    }
    let tool = vocabulary::all().find_map(|vocabulary| vocabulary.find(name))?;
    let own = own.map(|own| own.spell(tool.rights));
    let own = own.filter(|own| !own.is_empty());
    let instead = own.map_or_else(String::new, |own| format!("; use {}", listed(&own)));
    Some(format!("{} has no tool `{name}`{instead}", dialect.id))
}

/// The tools of a value; none if it is a map.
fn tools_of(value: &Value) -> Option<ToolFilter> {
    match value {
        Value::Tools(filter) => Some(filter.clone()),
        Value::Entered(text) if text.split_once(':').is_some_and(|(key, _)| !key.contains('(')) => None,
        Value::Entered(text) => match text.trim() {
            "" => Some(ToolFilter::None),
            "*" => Some(ToolFilter::All),
            text => Some(ToolFilter::Only(entered_tools(text))),
        },
        _ => None,
    }
}
