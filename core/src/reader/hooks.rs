//! Checks of OpenHands for nested keys: hooks and condensers.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::hold::kind;
use super::value::Value;

const EVENTS: [&str; 6] = [
    "pre_tool_use",
    "post_tool_use",
    "user_prompt_submit",
    "session_start",
    "session_end",
    "stop",
];

/// Hooks by event, in snake or in Pascal case.
pub(super) fn check_hooks(value: &Value) -> Result<(), String> {
    let Value::Map(_) = value else { return Ok(()) };
    let hooks = value.get("hooks").unwrap_or(value);
    let Value::Map(entries) = hooks else {
        return Err(format!("hooks is {}", kind(hooks)));
    };
    let mut seen = Vec::new();
    for (key, matchers) in entries {
        let Value::Text(key) = key else {
            return Err("a hook event is not text".to_owned());
        };
        let event = snake(key);
        if !EVENTS.contains(&&*event) {
            return Err(if event == *key {
                format!("ValidationError: {event}: Extra inputs are not permitted")
            } else {
                format!("ValidationError: Unknown event type '{key}'")
            });
        }
        if seen.contains(&event) {
            return Err(format!("ValidationError: Duplicate hook event: '{key}'"));
        }
        check_matchers(&event, matchers)?;
        seen.push(event);
    }
    Ok(())
}

/// `PreToolUse` is `pre_tool_use`.
fn snake(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 4);
    for (at, c) in key.char_indices() {
        if at > 0 && c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

fn check_matchers(event: &str, matchers: &Value) -> Result<(), String> {
    for matcher in list(event, matchers)? {
        map(event, matcher)?;
        text(event, matcher, "matcher", false)?;
        for hook in list(event, matcher.get("hooks").unwrap_or(&Value::List(Vec::new())))? {
            check_hook(event, hook)?;
        }
    }
    Ok(())
}

fn check_hook(event: &str, hook: &Value) -> Result<(), String> {
    map(event, hook)?;
    let is_set = |key: &str| {
        hook.get(key)
            .and_then(Value::text)
            .is_some_and(|text| !text.is_empty())
    };
    text(event, hook, "command", false)?;
    for key in ["name", "prompt", "system_prompt"] {
        text(event, hook, key, true)?;
    }
    for key in ["timeout", "max_iterations"] {
        whole(event, hook, key)?;
    }
    let runs_on = matches!(hook.get("async"), Some(Value::Boolean(true)));
    let tools = hook.get("tools").unwrap_or(&Value::List(Vec::new())).clone();
    if list(event, &tools)?.iter().any(|tool| tool.text().is_none()) {
        return Err(wrong(event, "tools"));
    }
    let fits = match hook.get("type") {
        None => is_set("command"),
        Some(Value::Text(kind)) => match &**kind {
            "command" => is_set("command"),
            "prompt" => is_set("prompt") && !is_set("command") && !runs_on,
            "agent" => !is_set("command") && !runs_on,
            _ => false,
        },
        Some(_) => false,
    };
    fits.then_some(()).ok_or_else(|| wrong(event, "type"))
}

fn map(event: &str, value: &Value) -> Result<(), String> {
    let is_map = matches!(value, Value::Map(_));
    is_map
        .then_some(())
        .ok_or_else(|| format!("ValidationError: {event}: Input should be a valid dictionary"))
}

fn list<'a>(event: &str, value: &'a Value) -> Result<&'a [Value], String> {
    match value {
        Value::List(items) => Ok(items),
        _ => Err(format!("ValidationError: {event}: Input should be a valid list")),
    }
}

fn text(event: &str, value: &Value, key: &str, or_null: bool) -> Result<(), String> {
    match value.get(key) {
        None | Some(Value::Text(_)) => Ok(()),
        Some(Value::Null) if or_null => Ok(()),
        Some(_) => Err(wrong(event, key)),
    }
}

fn whole(event: &str, value: &Value, key: &str) -> Result<(), String> {
    let fits = match value.get(key) {
        None | Some(Value::Integer(_) | Value::Boolean(_)) => true,
        Some(Value::Float(number)) => number.is_whole(),
        Some(Value::Text(text)) => text.trim().parse::<i64>().is_ok(),
        Some(_) => false,
    };
    fits.then_some(()).ok_or_else(|| wrong(event, key))
}

fn wrong(event: &str, key: &str) -> String {
    format!("ValidationError: {event}: {key}: Input should be valid")
}

/// A word for whether there is one, or a description of one.
pub(super) fn check_condenser(value: &Value) -> Result<(), String> {
    const WORDS: [&str; 9] = [
        "", "default", "inherit", "none", "off", "false", "no", "disable", "disabled",
    ];
    let fits = match value {
        Value::Null | Value::Boolean(_) => true,
        Value::Text(text) => WORDS.contains(&&*text.trim().to_lowercase()),
        Value::Map(_) => value.get("kind").and_then(Value::text) == Some("NoOpCondenser"),
        _ => false,
    };
    let reason = || "ValueError: Invalid condenser value. Use 'default', 'none', or a mapping with a condenser config.";
    fits.then_some(()).ok_or_else(|| reason().to_owned())
}
