//! Checks of Gemini CLI: an agent is local or remote, and a key that its kind does not have drops the file.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::hold::Held;
use super::keys::Keys;
use super::kind::{expect, expect_each, expect_only, expect_word};
use super::reading::HeldAgent;
use super::syntax;
use super::value::Value;
use crate::dialect::edition::ValueKind;

const LOCAL: &[&str] = &[
    "kind",
    "name",
    "description",
    "display_name",
    "tools",
    "mcp_servers",
    "model",
    "temperature",
    "max_turns",
    "timeout_mins",
];

const REMOTE: &[&str] = &[
    "kind",
    "name",
    "description",
    "display_name",
    "auth",
    "agent_card_url",
    "agent_card_json",
];

/// Keys of a server.
const SERVER: &[(&str, ValueKind)] = &[
    ("command", ValueKind::Text),
    ("args", ValueKind::Texts),
    ("cwd", ValueKind::Text),
    ("url", ValueKind::Text),
    ("http_url", ValueKind::Text),
    ("tcp", ValueKind::Text),
    ("timeout", ValueKind::Number),
    ("trust", ValueKind::Boolean),
    ("description", ValueKind::Text),
    ("include_tools", ValueKind::Texts),
    ("exclude_tools", ValueKind::Texts),
];

const OAUTH: &[(&str, ValueKind)] = &[
    ("client_id", ValueKind::Text),
    ("client_secret", ValueKind::Text),
    ("scopes", ValueKind::Texts),
    ("audiences", ValueKind::Texts),
    ("token_param_name", ValueKind::Text),
];

const OAUTH_ADDRESSES: &[&str] = &[
    "authorization_url",
    "token_url",
    "issuer",
    "redirect_uri",
    "registration_url",
];

/// Checks the keys of a local or a remote agent. Returns whether it is a remote one.
pub(super) fn check_agent(keys: &Keys<'_>, tools: &[String]) -> Result<bool, String> {
    if let Value::List(_) = keys.value {
        return Err("a list of remote agents gives several agents".to_owned());
    }
    let Value::Map(_) = keys.value else {
        return Err("the frontmatter is not a map of keys".to_owned());
    };
    let Err(reason) = check_local(keys.value, tools) else {
        return Ok(false);
    };
    let is = |kind: &str| keys.get("kind").and_then(Value::text) == Some(kind);
    let seems_remote = ["agent_card_url", "agent_card_json"]
        .iter()
        .any(|key| keys.get(key).is_some());
    match check_remote(keys.value) {
        Ok(()) => Ok(true),
        Err(remote) if is("remote") || seems_remote && !is("local") => Err(remote),
        Err(_) => Err(reason),
    }
}

fn check_local(agent: &Value, tools: &[String]) -> Result<(), String> {
    check_common(agent, "local")?;
    let description = agent.get("description").ok_or("description: Required")?;
    expect("description", description, ValueKind::Text)?;
    if description.text() == Some("") {
        return Err("description: must not be empty".to_owned());
    }
    if let Some(value) = agent.get("tools") {
        let Value::List(items) = value else {
            return expect("tools", value, ValueKind::Texts);
        };
        for item in items {
            let known = item.text().is_some_and(|name| is_tool(name, tools));
            if !known {
                return Err(format!(
                    "tools: invalid tool name `{}`",
                    super::show::script_text(item)
                ));
            }
        }
    }
    check_servers(agent)?;
    let numbers = [
        ("temperature", ValueKind::Number),
        ("max_turns", ValueKind::Count),
        ("timeout_mins", ValueKind::Count),
    ];
    for (key, kind) in numbers.into_iter().chain([("model", ValueKind::Text)]) {
        if let Some(value) = agent.get(key) {
            expect(key, value, kind)?;
        }
    }
    expect_only(agent, LOCAL)
}

fn check_common(agent: &Value, kind: &str) -> Result<(), String> {
    if let Some(value) = agent.get("kind") {
        expect_word("kind", value, &[kind])?;
    }
    let name = agent.get("name").ok_or("name: Required")?;
    expect("name", name, ValueKind::Text)?;
    let is_slug = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    if !name
        .text()
        .is_some_and(|name| !name.is_empty() && name.chars().all(is_slug))
    {
        return Err("name: Name must be a valid slug".to_owned());
    }
    match agent.get("display_name") {
        Some(value) => expect("display_name", value, ValueKind::Text),
        None => Ok(()),
    }
}

/// Built-in tools, discovered ones, and those of servers: `mcp_server_tool`.
fn is_tool(name: &str, built_in: &[String]) -> bool {
    if built_in.iter().any(|tool| tool == name) || name == "*" || name.starts_with("discovered_tool_") {
        return true;
    }
    let Some(rest) = name.strip_prefix("mcp_") else {
        return false;
    };
    let is_slug = |part: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
        !part.is_empty() && part.chars().all(plain)
    };
    match rest.split_once('_') {
        Some((server, tool)) => {
            is_slug(server) && (tool == "*" || is_slug(tool) && tool.chars().any(|c| c != '_'))
        }
        None => rest == "*",
    }
}

fn check_servers(agent: &Value) -> Result<(), String> {
    let Some(servers) = agent.get("mcp_servers") else {
        return Ok(());
    };
    expect("mcp_servers", servers, ValueKind::Map)?;
    servers.entries().iter().try_for_each(|(name, server)| {
        let path = format!("mcp_servers.{}", super::show::script_text(name));
        expect(&path, server, ValueKind::Map)?;
        expect_each(&path, server, SERVER)?;
        if let Some(kind) = server.get("type") {
            expect_word(&format!("{path}.type"), kind, &["sse", "http"])?;
        }
        for key in ["env", "headers"] {
            if let Some(map) = server.get(key) {
                expect_texts(&format!("{path}.{key}"), map)?;
            }
        }
        match server.get("auth") {
            Some(auth) => check_credentials(&format!("{path}.auth"), auth),
            None => Ok(()),
        }
    })
}

fn expect_texts(path: &str, map: &Value) -> Result<(), String> {
    expect(path, map, ValueKind::Map)?;
    let mut values = map.entries().iter();
    values.try_for_each(|(_, value)| expect(path, value, ValueKind::Text))
}

/// Credentials of Google or OAuth.
fn check_credentials(path: &str, auth: &Value) -> Result<(), String> {
    expect(path, auth, ValueKind::Map)?;
    let kind = auth.get("type").unwrap_or(&Value::Null);
    expect_word(&format!("{path}.type"), kind, &["google-credentials", "oauth"])?;
    if kind.text() == Some("google-credentials") {
        return expect_each(path, auth, &[("scopes", ValueKind::Texts)]);
    }
    expect_each(path, auth, OAUTH)?;
    OAUTH_ADDRESSES.iter().try_for_each(|key| match auth.get(key) {
        Some(value) => expect_address(&format!("{path}.{key}"), value),
        None => Ok(()),
    })
}

fn check_remote(agent: &Value) -> Result<(), String> {
    check_common(agent, "remote")?;
    if let Some(description) = agent.get("description") {
        expect("description", description, ValueKind::Text)?;
    }
    match (agent.get("agent_card_url"), agent.get("agent_card_json")) {
        (Some(address), None) => expect_address("agent_card_url", address)?,
        (None, Some(json)) => {
            let is_json = json.text().is_some_and(syntax::is_json_text);
            if !is_json {
                return Err("agent_card_json must be valid JSON".to_owned());
            }
        }
        _ => return Err("agent_card_url: Required".to_owned()),
    }
    if let Some(auth) = agent.get("auth") {
        check_auth(auth)?;
    }
    expect_only(agent, REMOTE)
}

fn check_auth(auth: &Value) -> Result<(), String> {
    expect("auth", auth, ValueKind::Map)?;
    let is_set = |key: &str| auth.get(key).is_some();
    let filled = |key: &str| match auth.get(key) {
        Some(value) if value.text() == Some("") => Err(format!("auth.{key}: must not be empty")),
        Some(value) => expect(&format!("auth.{key}"), value, ValueKind::Text),
        None => Ok(()),
    };
    match auth.get("type").and_then(Value::text) {
        Some("apiKey") => {
            expect_each("auth", auth, &[("name", ValueKind::Text)])?;
            filled("key")?;
            is_set("key")
                .then_some(())
                .ok_or_else(|| "auth.key: Required".to_owned())
        }
        Some("http") => {
            ["scheme", "token", "username", "password", "value"]
                .into_iter()
                .try_for_each(filled)?;
            let enough = is_set("value")
                || match auth.get("scheme").and_then(Value::text) {
                    Some("Bearer") => is_set("token"),
                    Some("Basic") => is_set("username") && is_set("password"),
                    _ => false,
                };
            (enough && is_set("scheme"))
                .then_some(())
                .ok_or_else(|| "auth: credentials are missing".to_owned())
        }
        _ => check_credentials("auth", auth),
    }
}

fn expect_address(path: &str, value: &Value) -> Result<(), String> {
    expect(path, value, ValueKind::Text)?;
    let scheme = value.text().and_then(|text| text.split_once(':'));
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    let is_web = |scheme: &str| matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp");
    let fits = scheme.is_some_and(|(scheme, rest)| {
        is_scheme(scheme) && (!is_web(scheme) || !rest.trim_start_matches('/').is_empty())
    });
    fits.then_some(()).ok_or_else(|| format!("{path}: Invalid url"))
}

/// The characters of a skill's name that files cannot have become hyphens.
pub(super) fn hold_skill_name(agent: &mut HeldAgent) {
    const REPLACED: &[char] = &[':', '\\', '/', '<', '>', '*', '?', '"', '|'];
    agent.name = Held::Text(agent.name.shown().replace(REPLACED, "-"));
}
