//! Checks of Codex for its own keys: nicknames and servers.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::kind::{expect, expect_each};
use super::show::script_text;
use super::value::Value;
use crate::dialect::edition::ValueKind;

/// At least one, each once, of letters, digits, spaces, hyphens and underscores.
pub(super) fn check_nicknames(key: &str, value: &Value) -> Result<(), String> {
    expect(key, value, ValueKind::Texts)?;
    let Value::List(names) = value else {
        return Ok(());
    };
    if names.is_empty() {
        return Err(format!("{key} must contain at least one name"));
    }
    let mut names: Vec<&str> = names.iter().filter_map(Value::text).map(str::trim).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_');
    if names.iter().any(|name| name.is_empty()) {
        return Err(format!("{key} cannot contain blank names"));
    }
    if !names.iter().all(|name| name.chars().all(is_plain)) {
        return Err(format!(
            "{key} may only contain ASCII letters, digits, spaces, hyphens, and underscores"
        ));
    }
    names.sort_unstable();
    let repeats = names.windows(2).any(|pair| pair[0] == pair[1]);
    if repeats {
        return Err(format!("{key} cannot contain duplicates"));
    }
    Ok(())
}

/// Nothing, or a map whose short description is no list or map.
pub(super) fn check_metadata(key: &str, value: &Value) -> Result<(), String> {
    if *value == Value::Null {
        return Ok(());
    }
    expect(key, value, ValueKind::Map)?;
    match value.get("short-description") {
        Some(Value::List(_) | Value::Map(_)) => Err(format!("{key}.short-description: expected text")),
        _ => Ok(()),
    }
}

/// Servers by name, each with a program or with an address.
pub(super) fn check_servers(key: &str, value: &Value) -> Result<(), String> {
    expect(key, value, ValueKind::Map)?;
    value.entries().iter().try_for_each(|(name, server)| {
        let path = format!("{key}.{}", script_text(name));
        expect(&path, server, ValueKind::Map)?;
        expect_each(
            &path,
            server,
            &[
                ("command", ValueKind::Text),
                ("args", ValueKind::Texts),
                ("url", ValueKind::Text),
                ("enabled", ValueKind::Boolean),
                ("required", ValueKind::Boolean),
                ("enabled_tools", ValueKind::Texts),
                ("disabled_tools", ValueKind::Texts),
            ],
        )?;
        match (server.get("command"), server.get("url")) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            _ => Err("invalid transport".to_owned()),
        }
    })
}
