//! Further checks of releases.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::decimal::Decimal;
use super::hold::{Held, kind};
use super::hooks::{check_condenser, check_hooks};
use super::keys::Keys;
use super::kind::{expect, expect_only, expect_word};
use super::reading::{HeldAgent, Reading};
use super::show::python_text;
use super::value::Value;
use super::{claude_code, codex, copilot, gemini_cli, opencode, qwen_code};
use crate::dialect::edition::{Blanks, Check};
use crate::verdict::Outcome;

/// Changes held values where necessary, or returns why the file is dropped.
pub(super) fn apply(check: &Check, keys: &Keys<'_>, reading: &mut Reading) -> Result<(), String> {
    match check {
        Check::PythonKeywords(taken) => python_keywords(keys, taken),
        Check::PositiveInteger(key) => with(keys, key, |value| positive_integer(key, value)),
        Check::PositiveNumber(key) => with(keys, key, |value| positive_number(key, value)),
        Check::PythonWord(key, words) => with(keys, key, |value| python_word(key, value, words)),
        Check::Map(spellings) => {
            let found = spellings.iter().find_map(|key| Some((key, keys.get(key)?)));
            found.map_or(Ok(()), |(key, value)| servers(key, value))
        }
        Check::Text(key) => with(keys, key, |value| match value {
            Value::Null | Value::Text(_) => Ok(()),
            _ => Err(format!("{key} must be a scalar value, got {}", kind(value))),
        }),
        Check::Scalar(key) => with(keys, key, |value| match value.untagged() {
            Value::List(_) | Value::Map(_) => Err(format!("{key}: invalid type, expected a string")),
            _ => Ok(()),
        }),
        Check::OpenHandsHooks(key) => with(keys, key, check_hooks),
        Check::OpenHandsCondenser(key) => with(keys, key, check_condenser),
        Check::KodeletProvider => provider(keys, reading),
        Check::KodeletOffer => {
            offer(keys, reading);
            Ok(())
        }
        Check::ForkInherits(key) => {
            if keys
                .get(key)
                .and_then(Value::text)
                .map(|text| Blanks::EcmaScript.trim(text))
                == Some("true")
            {
                fork(&mut reading.agent);
            }
            Ok(())
        }
        Check::OnlyKeys(known) => expect_only(keys.value, known),
        Check::Is(key, kind) => match key.split_once('.') {
            Some((outer, inner)) => with(keys, outer, |value| {
                value.get(inner).map_or(Ok(()), |value| expect(key, value, *kind))
            }),
            None => with(keys, key, |value| expect(key, value, *kind)),
        },
        Check::IsOrNull(key, kind) => with(keys, key, |value| match value {
            Value::Null => Ok(()),
            value => expect(key, value, *kind),
        }),
        Check::OneOf(key, words) => with(keys, key, |value| expect_word(key, value, words)),
        Check::GeminiCliAgent(tools) => {
            let remote = gemini_cli::check_agent(keys, tools)?;
            if remote {
                reading.agent.prompt.clear();
            }
            Ok(())
        }
        Check::ClaudeCodeAgent(guards) => claude_code::check_agent(keys, guards, &reading.agent),
        Check::CopilotServers(key) => with(keys, key, |value| copilot::check_servers(key, value)),
        Check::CopilotHooks(key) => with(keys, key, |value| copilot::check_hooks(key, value)),
        Check::OpenCodeTools(key) => match keys.get(key) {
            Some(value) => opencode::hold_tools(value, &mut reading.agent),
            None => Ok(()),
        },
        Check::OpenCodePermissions(key) => with(keys, key, |value| opencode::check_permissions(key, value)),
        Check::OpenCodeColor(key) => with(keys, key, |value| opencode::check_color(key, value)),
        Check::OpenCodeName => {
            if let Some(name) = keys.get("name") {
                opencode::check_name(name, reading);
            }
            Ok(())
        }
        Check::QwenCodeAgent => qwen_code::check_agent(&reading.agent),
        Check::QwenCodeExecutor(key) => with(keys, key, |value| qwen_code::check_executor(key, value)),
        Check::CopilotSkillName => copilot::hold_skill_name(&mut reading.agent),
        Check::GeminiCliSkillName => {
            gemini_cli::hold_skill_name(&mut reading.agent);
            Ok(())
        }
        Check::QwenCodeSkillName => qwen_code::check_skill_name(&reading.agent),
        Check::QwenCodePaths(key) => with(keys, key, |value| qwen_code::check_paths(key, value)),
        Check::CodexNicknames(key) => with(keys, key, |value| codex::check_nicknames(key, value)),
        Check::CodexMetadata(key) => with(keys, key, |value| codex::check_metadata(key, value)),
        Check::CodexServers(key) => with(keys, key, |value| codex::check_servers(key, value)),
    }
}

fn with(keys: &Keys<'_>, key: &str, check: impl Fn(&Value) -> Result<(), String>) -> Result<(), String> {
    keys.get(key).map_or(Ok(()), check)
}

fn python_keywords(keys: &Keys<'_>, taken: &[String]) -> Result<(), String> {
    for (key, _) in keys.value.entries() {
        match key {
            Value::Text(key) if taken.contains(key) => {
                return Err(format!("TypeError: got multiple values for argument '{key}'"));
            }
            Value::Text(_) => {}
            key => return Err(format!("TypeError: the key `{}` is not text", python_text(key))),
        }
    }
    Ok(())
}

fn positive(key: &str, is_positive: bool) -> Result<(), String> {
    let reason = || format!("ValidationError: {key}: Input should be greater than 0");
    is_positive.then_some(()).ok_or_else(reason)
}

fn positive_integer(key: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Boolean(value) => positive(key, *value),
        Value::Integer(value) => positive(key, *value > 0),
        Value::Text(text) => {
            let digits = Blanks::Python.trim(text);
            let plain: String = digits.chars().filter(|c| *c != '_').collect();
            let misplaced = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
            match plain.parse::<i128>() {
                Ok(number) if !misplaced => positive(key, number > 0),
                _ => Err(format!(
                    "ValueError: invalid literal for int() with base 10: '{text}'"
                )),
            }
        }
        _ => Ok(()),
    }
}

fn positive_number(key: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Integer(value) => positive(key, *value > 0),
        Value::Float(value) => positive(key, value.is_positive()),
        Value::Text(text) => match Decimal::parse(Blanks::Python.trim(text)) {
            Some(number) => positive(key, number.is_positive()),
            None => Err(format!("ValueError: could not convert string to float: '{text}'")),
        },
        _ => Ok(()),
    }
}

fn python_word(key: &str, value: &Value, words: &[String]) -> Result<(), String> {
    if *value == Value::Null {
        return Ok(());
    }
    let shown = python_text(value);
    let word = Blanks::Python.trim(&shown).to_lowercase();
    let reason = || {
        let words = words.join(", ");
        format!("ValueError: Invalid {key} '{shown}'. Must be one of: {words}")
    };
    words.contains(&word).then_some(()).ok_or_else(reason)
}

fn servers(key: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Null => Ok(()),
        Value::Map(entries) if entries.iter().all(|(_, server)| matches!(server, Value::Map(_))) => Ok(()),
        _ => Err(format!(
            "ValueError: {key} must be a mapping of server names to configs, got {}",
            kind(value)
        )),
    }
}

fn provider(keys: &Keys<'_>, reading: &mut Reading) -> Result<(), String> {
    let provider = provider_of(keys);
    if reading.agent.model.is_some() {
        return Ok(());
    }
    let model = match provider {
        "anthropic" => "claude-3-5-sonnet-20241022",
        "openai" => "gpt-4",
        _ => {
            let name = reading.agent.name.shown();
            return Err(format!(
                "agent '{name}' has unsupported provider '{provider}' and no model specified"
            ));
        }
    };
    reading.agent.model = Some(Held::Text(model.to_owned()));
    Ok(())
}

fn provider_of<'a>(keys: &Keys<'a>) -> &'a str {
    let text = keys.get("provider").and_then(Value::text);
    text.filter(|text| !text.is_empty()).unwrap_or("anthropic")
}

fn offer(keys: &Keys<'_>, reading: &mut Reading) {
    let provider = provider_of(keys);
    let effort = keys
        .get("reasoning_effort")
        .and_then(Value::text)
        .unwrap_or_default();
    let withheld = if matches!(keys.get("max_tokens"), Some(Value::Integer(tokens)) if *tokens < 0) {
        "agent max_tokens must be greater than 0".to_owned()
    } else if reading.agent.prompt.trim_ascii().is_empty() {
        "agent system prompt cannot be empty".to_owned()
    } else if provider == "openai" && !matches!(effort, "" | "low" | "medium" | "high") {
        format!("invalid reasoning_effort '{effort}', must be one of: [low medium high]")
    } else if !matches!(provider, "openai" | "anthropic") {
        format!("unsupported provider '{provider}'")
    } else {
        return;
    };
    reading.outcome = Outcome::Withheld(withheld);
}

fn fork(agent: &mut HeldAgent) {
    if agent.model.is_some() {
        agent.model = Some(Held::Text("inherit".to_owned()));
    }
}
