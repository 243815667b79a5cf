//! Checks of Copilot CLI for nested keys: servers and hooks.

use alloc::format;
use alloc::string::String;

use super::kind::{expect, expect_each};
use super::show::script_text;
use super::value::Value;
use crate::dialect::edition::Kind;

/// Events, each with Copilot's own name and the names it accepts from other products.
const EVENTS: &[(&str, &[&str])] = &[
    ("sessionStart", &["SessionStart"]),
    ("sessionEnd", &["SessionEnd"]),
    (
        "userPromptSubmitted",
        &["UserPromptSubmit", "UserPromptSubmitted"],
    ),
    ("preToolUse", &["PreToolUse"]),
    ("postToolUse", &["PostToolUse"]),
    ("postToolUseFailure", &["PostToolUseFailure"]),
    ("agentStop", &["Stop", "AgentStop"]),
    ("subagentStart", &["SubagentStart"]),
    ("subagentStop", &["SubagentStop"]),
    ("errorOccurred", &["ErrorOccurred"]),
    ("preCompact", &["PreCompact"]),
    ("permissionRequest", &["PermissionRequest"]),
    ("notification", &["Notification"]),
];

/// Servers by name, each with a list of its tools.
pub(super) fn check_servers(key: &str, value: &Value) -> Result<(), String> {
    expect(key, value, Kind::Map)?;
    value.entries().iter().try_for_each(|(name, server)| {
        let path = format!("{key}.{}", script_text(name));
        expect(&path, server, Kind::Map)?;
        let tools = server
            .get("tools")
            .ok_or_else(|| format!("{path}.tools: Required"))?;
        expect(&format!("{path}.tools"), tools, Kind::Texts)?;
        expect_each(
            &path,
            server,
            &[
                ("type", Kind::Text),
                ("command", Kind::Text),
                ("args", Kind::Texts),
                ("url", Kind::Text),
            ],
        )
    })
}

/// Hooks by event.
pub(super) fn check_hooks(key: &str, value: &Value) -> Result<(), String> {
    expect(key, value, Kind::Map)?;
    value.entries().iter().try_for_each(|(event, hooks)| {
        let event = script_text(event);
        let known = EVENTS
            .iter()
            .find(|(name, others)| *name == event || others.contains(&&*event));
        let Some((name, _)) = known else {
            return Err(format!("{key}.{event}: Unsupported agent hook event"));
        };
        let Value::List(hooks) = hooks else {
            return Err(format!("{key}.{name}: expected a list"));
        };
        hooks
            .iter()
            .try_for_each(|hook| check_hook(&format!("{key}.{name}"), hook))
    })
}

/// A hook, or a matcher with hooks of its own.
fn check_hook(path: &str, hook: &Value) -> Result<(), String> {
    expect(path, hook, Kind::Map)?;
    if let Some(Value::List(nested)) = hook.get("hooks") {
        return nested.iter().try_for_each(|hook| check_hook(path, hook));
    }
    match hook.get("type") {
        None => Ok(()),
        Some(Value::Text(kind)) if kind == "command" => Ok(()),
        Some(_) => Err(format!("{path}.type: Invalid hook type")),
    }
}
