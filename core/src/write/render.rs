//! Renders a draft as the text of a new file.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::settle::settle;
use super::{Draft, Refusal, Value, emit, toml};
use crate::definition::ToolFilter;
use crate::dialect::{Canonical, Dialect, Format, Key, Verdict};
use crate::limits::{FILE_BYTES, FRONTMATTER_BYTES};

/// Writes a draft as a file of a dialect, such that all its readers read the same values.
///
/// Fails with every part of the draft that the dialect cannot express.
pub fn render(draft: &Draft, dialect: &Dialect) -> Result<String, Vec<Refusal>> {
    let mut refusals = Vec::new();
    let mut refuse = |field: &str, reason: String| {
        refusals.push(Refusal {
            field: field.to_owned(),
            reason,
        });
    };
    for (at, (field, _)) in draft.fields.iter().enumerate() {
        if draft.fields[..at].iter().any(|(other, _)| other == field) {
            refuse(field, format!("duplicate `{field}`"));
        }
        if !dialect.keys.iter().any(|key| key.field.name() == field) {
            refuse(field, format!("{} has no `{field}`", dialect.id));
        }
    }
    let is_toml = dialect.format == Format::Toml;
    let mut text = String::from(if is_toml { "" } else { "---\n" });
    let others = |field: Canonical| match draft.get(field.name()) {
        Some(Value::Text(text) | Value::Entered(text)) => Some(text.clone()),
        _ => None,
    };
    // The body replaces a key for the prompt that is not among the fields.
    let keys = dialect.keys.iter();
    for key in keys.filter(|key| !is_toml || key.field != Canonical::Prompt) {
        match draft.get(key.field.name()) {
            Some(Value::Tools(ToolFilter::Absent)) => {}
            Some(value) => match settle(dialect, key, value, &others) {
                Ok(value) if is_toml => match toml::value(&value, true) {
                    Some(value) => text.push_str(&format!("{} = {value}\n", key.written())),
                    None => refuse(
                        key.field.name(),
                        format!("`{}` has no form in TOML", key.written()),
                    ),
                },
                Ok(value) => {
                    let value = emit::after_colon(key, &value, None);
                    text.push_str(&format!("{}:{value}\n", key.written()));
                }
                Err(reason) => refuse(key.field.name(), reason),
            },
            None if key.missing != Verdict::Fine => {
                refuse(
                    key.field.name(),
                    format!("{} needs `{}`", dialect.id, key.written()),
                );
            }
            None => {}
        }
    }
    let frontmatter = text.len();
    if is_toml {
        let key = dialect.of_field(Canonical::Prompt);
        let key = key.map_or("prompt", Key::written);
        text.push_str(&format!("{key} = {}\n", toml::text(&draft.prompt, true)));
    } else {
        text.push_str("---\n");
        write_prompt(&draft.prompt, dialect, &mut text);
    }
    for refusal in prompt_refusals(&draft.prompt, dialect) {
        refuse(&refusal.field, refusal.reason);
    }
    if frontmatter > FRONTMATTER_BYTES || text.len() > FILE_BYTES {
        refuse("prompt", "the file would be too long to be read".to_owned());
    }
    if refusals.is_empty() {
        Ok(text)
    } else {
        Err(refusals)
    }
}

/// Why the dialect does not load such a prompt.
pub(super) fn prompt_refusals(prompt: &str, dialect: &Dialect) -> Vec<Refusal> {
    let is_missing = prompt.trim().is_empty() && dialect.body.empty != Verdict::Fine;
    let missing = is_missing.then(|| format!("{} needs a prompt", dialect.id));
    let reasons = prompt_misfit(prompt, dialect).into_iter().chain(missing);
    let refusal = |reason| Refusal {
        field: "prompt".to_owned(),
        reason,
    };
    reasons.map(refusal).collect()
}

/// Why the dialect does not load a prompt of this length.
fn prompt_misfit(prompt: &str, dialect: &Dialect) -> Option<String> {
    let (rule, id) = (&dialect.body, &dialect.id);
    let length = prompt.trim().chars().count();
    if let Some(least) = rule.shortest.filter(|least| length < *least as usize) {
        return Some(format!(
            "the prompt has {length} characters; {id} accepts at least {least}"
        ));
    }
    let most = rule.longest.filter(|most| length > *most as usize)?;
    Some(format!(
        "the prompt has {length} characters; {id} accepts at most {most}"
    ))
}

pub(super) fn write_prompt(prompt: &str, dialect: &Dialect, text: &mut String) {
    if !dialect.body.trim {
        text.push_str(prompt);
        return;
    }
    let prompt = prompt.trim();
    if !prompt.is_empty() {
        text.push('\n');
        text.push_str(prompt);
        text.push('\n');
    }
}
