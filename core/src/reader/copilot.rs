//! Checks of Copilot CLI for nested keys: servers and hooks.

use alloc::format;
use alloc::string::String;

use super::hold::Held;
use super::kind::{expect, expect_each};
use super::reading::HeldAgent;
use super::show::script_text;
use super::value::Value;
use crate::dialect::edition::{Blanks, ValueKind};

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
    expect(key, value, ValueKind::Map)?;
    value.entries().iter().try_for_each(|(name, server)| {
        let path = format!("{key}.{}", script_text(name));
        expect(&path, server, ValueKind::Map)?;
        let tools = server
            .get("tools")
            .ok_or_else(|| format!("{path}.tools: Required"))?;
        expect(&format!("{path}.tools"), tools, ValueKind::Texts)?;
        expect_each(
            &path,
            server,
            &[
                ("type", ValueKind::Text),
                ("command", ValueKind::Text),
                ("args", ValueKind::Texts),
                ("url", ValueKind::Text),
            ],
        )
    })
}

/// Hooks by event.
pub(super) fn check_hooks(key: &str, value: &Value) -> Result<(), String> {
    expect(key, value, ValueKind::Map)?;
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
    expect(path, hook, ValueKind::Map)?;
    if let Some(Value::List(nested)) = hook.get("hooks") {
        return nested.iter().try_for_each(|hook| check_hook(path, hook));
    }
    match hook.get("type") {
        None => Ok(()),
        Some(Value::Text(kind)) if kind == "command" => Ok(()),
        Some(_) => Err(format!("{path}.type: Invalid hook type")),
    }
}

/// The characters of a skill's name. Spaces become hyphens.
pub(super) fn hold_skill_name(agent: &mut HeldAgent) -> Result<(), String> {
    let name = Blanks::EcmaScript.trim(agent.name.shown());
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | ' ');
    if !name.starts_with(|c: char| c.is_ascii_alphanumeric()) || !name.chars().all(is_part) {
        return Err("Skill name must start with an ASCII letter or number and contain only ASCII letters (a-z, A-Z), \
                    numbers, hyphens, underscores, dots, colons, and spaces"
            .into());
    }
    agent.name = Held::Text(name.replace(' ', "-"));
    Ok(())
}
