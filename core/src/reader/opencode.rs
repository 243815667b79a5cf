//! Checks of OpenCode: a map of tools, permissions and colors.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::kind::{expect, expect_word};
use super::reading::{HeldAgent, Reading};
use super::show::script_text;
use super::tools::HeldTools;
use super::value::Value;
use crate::dialect::edition::ValueKind;
use crate::verdict::Outcome;

const COLORS: &[&str] = &[
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "info",
];
const ACTIONS: &[&str] = &["ask", "allow", "deny"];

/// Permissions that are one word for all uses.
const WHOLE: &[&str] = &["question", "webfetch", "websearch", "doom_loop"];

/// Tools by name, each on or off. Others stay on, unless `*` is off.
pub(super) fn hold_tools(value: &Value, agent: &mut HeldAgent) -> Result<(), String> {
    expect("tools", value, ValueKind::Map)?;
    let entries = value.entries();
    for (name, switch) in entries {
        expect(
            &format!("tools.{}", script_text(name)),
            switch,
            ValueKind::Boolean,
        )?;
    }
    let all = "*";
    let named = |on: bool| -> Vec<String> {
        let switched = entries.iter().filter(|(_, switch)| *switch == Value::Boolean(on));
        switched
            .map(|(name, _)| script_text(name))
            .filter(|name| name != all)
            .collect()
    };
    if value.get(all) == Some(&Value::Boolean(false)) {
        agent.tools = HeldTools::Only(named(true));
    }
    let denied = named(false);
    if !denied.is_empty() {
        agent.denied = HeldTools::Only(denied);
    }
    Ok(())
}

/// One action for all, or an action or actions by pattern for each permission.
pub(super) fn check_permissions(key: &str, value: &Value) -> Result<(), String> {
    let Value::Map(rules) = value else {
        return expect_word(key, value, ACTIONS);
    };
    rules.iter().try_for_each(|(name, rule)| {
        let name = script_text(name);
        let path = format!("{key}.{name}");
        match rule {
            Value::Map(patterns) if !WHOLE.contains(&&*name) => {
                let mut actions = patterns.iter();
                actions.try_for_each(|(_, action)| expect_word(&path, action, ACTIONS))
            }
            rule => expect_word(&path, rule, ACTIONS),
        }
    })
}

/// `#` and six hexadecimal digits, or a color of the theme.
pub(super) fn check_color(key: &str, value: &Value) -> Result<(), String> {
    let is_hex = |text: &str| {
        let digits = text.strip_prefix('#');
        digits.is_some_and(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()))
    };
    if value.text().is_some_and(is_hex) {
        return Ok(());
    }
    expect_word(key, value, COLORS).map_err(|reason| format!("{reason}; or `#` and six digits"))
}

/// An agent whose name is not text is held, but not listed.
pub(super) fn check_name(value: &Value, reading: &mut Reading) {
    if value.text().is_none() {
        reading.outcome = Outcome::Withheld("its name is not text".to_owned());
    }
}
