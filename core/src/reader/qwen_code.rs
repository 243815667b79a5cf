//! Checks of Qwen Code: the form of a name, the length of a prompt, external executors, and the paths of a skill.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::kind::{expect, expect_word};
use super::reading::HeldAgent;
use super::show::script_text;
use super::value::Value;
use crate::dialect::edition::{Blanks, ValueKind};

const RESERVED: &[&str] = &["self", "system", "user", "model", "tool", "config", "default"];

/// The lengths of a name, in UTF-16 units.
const NAME: core::ops::RangeInclusive<usize> = 2..=50;

/// The least length of a prompt, in UTF-16 units.
const PROMPT: usize = 10;

pub(super) fn check_agent(agent: &HeldAgent) -> Result<(), String> {
    check_name(Blanks::EcmaScript.trim(agent.name.shown()))?;
    if Blanks::EcmaScript.trim(agent.description.shown()).is_empty() {
        return Err("Description is required and cannot be empty".to_owned());
    }
    let prompt = String::from_utf8_lossy(&agent.prompt);
    let prompt = Blanks::EcmaScript.trim(&prompt);
    if prompt.is_empty() {
        return Err("System prompt is required and cannot be empty".to_owned());
    }
    if prompt.encode_utf16().take(PROMPT).count() < PROMPT {
        return Err("System prompt must be at least 10 characters long".to_owned());
    }
    Ok(())
}

fn check_name(name: &str) -> Result<(), String> {
    let length = name.encode_utf16().take(NAME.end() + 1).count();
    let joins = ['-', '_'];
    let is_plain = |c: char| c.is_alphanumeric() || joins.contains(&c);
    let reason = if name.is_empty() {
        "Name is required and cannot be empty"
    } else if length < *NAME.start() {
        "Name must be at least 2 characters long"
    } else if length > *NAME.end() {
        "Name must be 50 characters or less"
    } else if !name.chars().all(is_plain) {
        "Name can only contain letters, numbers, hyphens, and underscores"
    } else if name.starts_with(joins) {
        "Name cannot start with a hyphen or underscore"
    } else if name.ends_with(joins) {
        "Name cannot end with a hyphen or underscore"
    } else if RESERVED.contains(&&*name.to_lowercase()) {
        return Err(format!("\"{name}\" is a reserved name and cannot be used"));
    } else {
        return Ok(());
    };
    Err(reason.to_owned())
}

/// A program that replaces the agent.
pub(super) fn check_executor(key: &str, value: &Value) -> Result<(), String> {
    expect(key, value, ValueKind::Map)?;
    let of = |name: &str| value.get(name).unwrap_or(&Value::Null);
    expect_word(&format!("{key}.kind"), of("kind"), &["acp", "codex"])?;
    expect(&format!("{key}.command"), of("command"), ValueKind::Words)?;
    match value.get("args") {
        Some(args) => expect(&format!("{key}.args"), args, ValueKind::Texts),
        None => Ok(()),
    }
}

/// Patterns of files, which are relative to the project and stay in it.
pub(super) fn check_paths(key: &str, value: &Value) -> Result<(), String> {
    let items = match value {
        Value::Null => return Ok(()),
        Value::List(items) => items,
        _ => return expect(key, value, ValueKind::List),
    };
    items.iter().map(script_text).try_for_each(|text| {
        let pattern = Blanks::EcmaScript.trim(&text);
        let plain = pattern.replace('\\', "/");
        let is_drive = matches!(plain.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
        if plain.starts_with('/') || is_drive {
            Err(format!("{key}: `{pattern}` looks absolute"))
        } else if plain.split('/').any(|part| part == "..") {
            Err(format!(
                "{key}: `{pattern}` has a `..` that leads out of the project"
            ))
        } else {
            Ok(())
        }
    })
}

/// Checks the characters of a skill's name and that the description is not blank.
pub(super) fn check_skill_name(agent: &HeldAgent) -> Result<(), String> {
    let name = agent.name.shown();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '-');
    if !name.chars().all(is_part) {
        return Err(format!(
            "\"name\" must match /^[\\p{{L}}\\p{{N}}_:.-]+$/u (letters, digits, _, :, ., -); got \"{name}\""
        ));
    }
    match Blanks::EcmaScript.trim(agent.description.shown()) {
        "" => Err("\"description\" cannot be empty".to_owned()),
        _ => Ok(()),
    }
}
