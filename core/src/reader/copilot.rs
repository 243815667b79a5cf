//! Checks of Copilot CLI for nested keys: servers and hooks.

use alloc::format;
use alloc::string::String;

use super::hold::Held;
use super::kind::{expect, expect_each, expect_word};
use super::reading::HeldAgent;
use super::show::script_text;
use super::value::Value;
use crate::dialect::edition::{Blanks, ValueKind};

/// Events, each with the name that it also has in other products.
const EVENTS: &[(&str, &str)] = &[
    ("sessionStart", "SessionStart"),
    ("sessionEnd", "SessionEnd"),
    ("userPromptSubmitted", "UserPromptSubmit"),
    ("userPromptTransformed", "userPromptTransformed"),
    ("preToolUse", "PreToolUse"),
    ("preMcpToolCall", "PreMcpToolCall"),
    ("postToolUse", "PostToolUse"),
    ("postToolUseFailure", "PostToolUseFailure"),
    ("agentStop", "Stop"),
    ("subagentStart", "SubagentStart"),
    ("subagentStop", "SubagentStop"),
    ("errorOccurred", "ErrorOccurred"),
    ("preCompact", "PreCompact"),
    ("permissionRequest", "PermissionRequest"),
    ("notification", "Notification"),
];

/// The events whose matchers are read.
const MATCHED: &[&str] = &[
    "preToolUse",
    "preMcpToolCall",
    "postToolUse",
    "permissionRequest",
    "preCompact",
    "notification",
    "subagentStart",
];

/// The keys of a command for a shell. `exec` is a program without one.
const SHELLS: &[&str] = &["bash", "powershell", "command", "windows", "linux", "osx"];

/// Servers by name, each with a list of its tools.
pub(super) fn check_servers(key: &str, value: &Value) -> Result<(), String> {
    if *value == Value::Null {
        return Ok(());
    }
    expect(key, value, ValueKind::Map)?;
    value.entries().iter().try_for_each(|(name, server)| {
        let path = format!("{key}.{}", script_text(name));
        expect(&path, server, ValueKind::Map)?;
        let is_remote = match server.get("type").and_then(Value::text) {
            Some("http" | "sse") => true,
            Some("local" | "stdio") => false,
            _ => server.get("url").is_some(),
        };
        let (needed, types) = if is_remote {
            (["type", "url", "tools"], ["http", "sse"])
        } else {
            (["command", "args", "tools"], ["local", "stdio"])
        };
        if let Some(missing) = needed.iter().find(|key| server.get(key).is_none()) {
            return Err(format!("{path}.{missing}: Required"));
        }
        if let Some(given) = server.get("type") {
            expect_word(&format!("{path}.type"), given, &types)?;
        }
        expect_each(
            &path,
            server,
            &[
                ("tools", ValueKind::Texts),
                ("command", ValueKind::Text),
                ("args", ValueKind::Texts),
                ("url", ValueKind::Text),
                ("cwd", ValueKind::Text),
                ("env", ValueKind::TextMap),
                ("headers", ValueKind::TextMap),
                ("timeout", ValueKind::Count),
            ],
        )
    })
}

/// Hooks by event.
pub(super) fn check_hooks(key: &str, value: &Value) -> Result<(), String> {
    expect(key, value, ValueKind::Map)?;
    value.entries().iter().try_for_each(|(event, hooks)| {
        let event = script_text(event);
        let Some(name) = event_name(&event) else {
            return Err(format!("{key}.{event}: Unsupported agent hook event"));
        };
        let Value::List(hooks) = hooks else {
            return Err(format!("{key}.{name}: expected a list"));
        };
        hooks.iter().enumerate().try_for_each(|(number, hook)| {
            let path = format!("{key}.{name}[{number}]");
            check_item(&path, name, &event, hook)
        })
    })
}

/// The hook of this number in a file. Unknown events are ignored.
pub(super) fn check_hook_of(event: &str, number: usize, hook: &Value) -> Result<(), String> {
    event_name(event).map_or(Ok(()), |name| {
        check_item(&format!("hooks.{event}[{number}]"), name, event, hook)
    })
}

/// The name of an event that Copilot itself uses.
fn event_name(event: &str) -> Option<&'static str> {
    let known = EVENTS
        .iter()
        .find(|(name, other)| *name == event || *other == event);
    known.map(|(name, _)| *name)
}

/// A hook, or a group of hooks with a matcher.
fn check_item(path: &str, name: &str, event: &str, item: &Value) -> Result<(), String> {
    expect(path, item, ValueKind::Map)?;
    let matcher = item.get("matcher").filter(|_| MATCHED.contains(&name));
    // The matcher of a group may be of any type.
    let Some(Value::List(nested)) = item.get("hooks") else {
        if let Some(matcher) = matcher {
            expect(&format!("{path}.matcher"), matcher, ValueKind::Text)?;
        }
        check_matcher(path, name, event, matcher)?;
        return check_hook(path, name, item);
    };
    check_matcher(path, name, event, matcher)?;
    nested.iter().try_for_each(|hook| match hook.get("hooks") {
        Some(Value::List(_)) => Err(format!(
            "{path}: Nested hooks deeper than one level are not supported."
        )),
        _ => check_hook(path, name, hook),
    })
}

/// A matcher. Of the regular expressions that JavaScript refuses, only those that begin with a quantifier are recognized.
fn check_matcher(path: &str, name: &str, event: &str, matcher: Option<&Value>) -> Result<(), String> {
    let Some(text) = matcher.and_then(Value::text) else {
        return Ok(());
    };
    let is_any = text == "*" && event != name;
    if text.is_empty() {
        Err(format!("{path}.matcher: matcher cannot be empty"))
    } else if text.starts_with(['*', '+', '?']) && !is_any {
        Err(format!("hooks: Invalid matcher regex in {name} hook: '{text}'"))
    } else {
        Ok(())
    }
}

fn check_hook(path: &str, name: &str, hook: &Value) -> Result<(), String> {
    expect(path, hook, ValueKind::Map)?;
    let kind = hook
        .get("type")
        .map_or("command", |kind| kind.text().unwrap_or_default());
    match kind {
        "command" => {
            let shells = SHELLS.iter().filter_map(|key| Some((key, hook.get(key)?)));
            let has_shell = shells.clone().next().is_some();
            if has_shell == hook.get("exec").is_some() {
                return Err(format!(
                    "{path}: Specify either 'exec' (native executable) or 'bash'/'powershell'/'command' (shell), but not both"
                ));
            }
            for (key, command) in shells {
                expect(&format!("{path}.{key}"), command, ValueKind::Text)?;
            }
            expect_each(
                path,
                hook,
                &[
                    ("exec", ValueKind::Text),
                    ("args", ValueKind::Texts),
                    ("cwd", ValueKind::Text),
                    ("env", ValueKind::TextMap),
                    ("timeout", ValueKind::Number),
                ],
            )?;
        }
        "http" => {
            let url = hook.get("url").and_then(Value::text).unwrap_or_default();
            let url = url.to_ascii_lowercase();
            if !url.starts_with("http://") && !url.starts_with("https://") {
                return Err(format!("{path}.url: expected an address with http or https"));
            }
            let keys = [
                ("headers", ValueKind::TextMap),
                ("allowedEnvVars", ValueKind::List),
            ];
            expect_each(path, hook, &keys)?;
        }
        "prompt" if name == "sessionStart" => {
            return match hook.get("prompt") {
                Some(Value::Text(prompt)) if !prompt.is_empty() => Ok(()),
                _ => Err(format!("{path}.prompt: expected text that is not empty")),
            };
        }
        _ => return Err(format!("{path}.type: Invalid hook type")),
    }
    expect_each(path, hook, &[("timeoutSec", ValueKind::Number)])?;
    match hook.get("timeoutSec") {
        Some(Value::Integer(..=0)) => Err(format!("{path}.timeoutSec: expected a number above zero")),
        _ => Ok(()),
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
