//! Checks of Claude Code's agents: names, and hooks that guard. Measured with 2.1.332.

use alloc::format;
use alloc::string::{String, ToString};

use super::keys::Keys;
use super::kind::{expect, expect_each, expect_word};
use super::reading::HeldAgent;
use super::value::Value;
use crate::dialect::edition::ValueKind;

/// What each type of hook requires.
const TYPES: &[(&str, &[(&str, ValueKind)])] = &[
    ("command", &[("command", ValueKind::Text)]),
    ("http", &[("url", ValueKind::Text)]),
    ("prompt", &[("prompt", ValueKind::Text)]),
    ("agent", &[("prompt", ValueKind::Text)]),
    (
        "mcp_tool",
        &[("server", ValueKind::Text), ("tool", ValueKind::Text)],
    ),
];

/// An agent whose hooks for one of the `guards` cannot be read is not loaded, as it would do more than it may.
pub(super) fn check_agent(keys: &Keys<'_>, guards: &[String], agent: &HeldAgent) -> Result<(), String> {
    if agent.name.shown().starts_with('-') {
        return Err("name: it must not start with `-`".to_string());
    }
    if let Some(guard) = guards.iter().find(|guard| keys.get(guard).is_some()) {
        return Err(format!("{guard}: it belongs below `hooks`"));
    }
    let Some(hooks) = keys.get("hooks") else {
        return Ok(());
    };
    match hooks {
        Value::Null => return Ok(()),
        Value::Text(text) if text.is_empty() => return Ok(()),
        _ => expect("hooks", hooks, ValueKind::Map)?,
    }
    guards.iter().try_for_each(|event| {
        let path = format!("hooks.{event}");
        match hooks.get(event) {
            None | Some(Value::Null) => Ok(()),
            Some(Value::List(groups)) => groups.iter().try_for_each(|group| check_group(&path, group)),
            Some(_) => Err(format!("{path}: expected a list")),
        }
    })
}

/// A matcher with its hooks.
fn check_group(path: &str, group: &Value) -> Result<(), String> {
    expect(path, group, ValueKind::Map)?;
    expect_each(path, group, &[("matcher", ValueKind::Text)])?;
    match group.get("hooks") {
        Some(Value::List(hooks)) => hooks.iter().try_for_each(|hook| check_hook(path, hook)),
        _ => Err(format!("{path}: an entry has no list `hooks`")),
    }
}

fn check_hook(path: &str, hook: &Value) -> Result<(), String> {
    expect(path, hook, ValueKind::Map)?;
    let missing = |key: &str| format!("{path}: a hook has no `{key}`");
    let kind = hook.get("type").ok_or_else(|| missing("type"))?;
    let known: [&str; TYPES.len()] = core::array::from_fn(|at| TYPES[at].0);
    expect_word(&format!("{path}.type"), kind, &known)?;
    for (key, of) in TYPES
        .iter()
        .filter(|(known, _)| kind.text() == Some(known))
        .flat_map(|(_, keys)| *keys)
    {
        let value = hook.get(key).ok_or_else(|| missing(key))?;
        expect(&format!("{path}.{key}"), value, *of)?;
    }
    if kind.text() == Some("http")
        && !hook
            .get("url")
            .and_then(Value::text)
            .unwrap_or_default()
            .contains("://")
    {
        return Err(format!("{path}.url: expected an address"));
    }
    expect_each(
        path,
        hook,
        &[("once", ValueKind::Boolean), ("async", ValueKind::Boolean)],
    )?;
    match hook.get("timeout") {
        None => Ok(()),
        Some(Value::Integer(seconds)) if *seconds > 0 => Ok(()),
        Some(Value::Float(seconds)) if seconds.is_positive() => Ok(()),
        Some(_) => Err(format!("{path}.timeout: expected a number above zero")),
    }
}
