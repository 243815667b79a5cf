//! What a release holds of a key that lists tools.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::keys::Keys;
use super::show::python_text;
use super::value::Value;
use crate::dialect::edition::{Blanks, Extent, ToolList, ToolRule, ToolText};

/// Tools as a program holds them.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum HeldTools {
    /// Nothing: the meaning is settled later.
    #[default]
    Nothing,
    /// All tools.
    All,
    /// These.
    Only(Vec<String>),
}

impl HeldTools {
    fn of(extent: Extent) -> Self {
        match extent {
            Extent::All => Self::All,
            Extent::None => Self::Only(Vec::new()),
            Extent::Nothing => Self::Nothing,
        }
    }
}

/// The held tools, or why the file is dropped.
pub(super) fn hold(rule: &ToolRule, keys: &Keys<'_>) -> Result<HeldTools, String> {
    let Some(found) = keys.find(&rule.keys, rule.next) else {
        return Ok(HeldTools::of(rule.absent));
    };
    let names = match found.value {
        Value::Null => return Ok(HeldTools::of(rule.null)),
        value if rule.falsy_is_null && !value.is_truthy() => return Ok(HeldTools::of(rule.null)),
        Value::Text(text) => match rule.empty_text {
            Some(extent) if text.is_empty() => return Ok(HeldTools::of(extent)),
            _ if rule.all.contains(text) => return Ok(HeldTools::All),
            _ => split(rule, text),
        },
        Value::List(items) if rule.list != ToolList::Wrong => listed(rule, items),
        _ if !rule.wrong.is_empty() => return Err(rule.wrong.clone()),
        _ => return Ok(HeldTools::of(rule.other)),
    };
    Ok(match (names.is_empty(), rule.empty, rule.star) {
        (true, Some(extent), _) => HeldTools::of(extent),
        (_, _, Some(extent)) if names.iter().any(|name| name == "*") => HeldTools::of(extent),
        _ => HeldTools::Only(names),
    })
}

fn listed(rule: &ToolRule, items: &[Value]) -> Vec<String> {
    let texts = || items.iter().filter_map(Value::text);
    match rule.list {
        ToolList::Texts => texts().map(ToString::to_string).collect(),
        ToolList::TrimmedTexts => texts().map(|text| text.trim().to_owned()).collect(),
        ToolList::Split => texts().flat_map(|text| split(rule, text)).collect(),
        ToolList::PythonTexts => items.iter().map(python_text).collect(),
        ToolList::Wrong => Vec::new(),
    }
}

fn split(rule: &ToolRule, text: &str) -> Vec<String> {
    match rule.text {
        ToolText::One => alloc::vec![text.to_owned()],
        ToolText::Commas => {
            let items = text.split(',').map(|item| Blanks::EcmaScript.trim(item));
            items
                .filter(|item| !item.is_empty())
                .map(ToString::to_string)
                .collect()
        }
        ToolText::Words => words(text),
    }
}

/// The text split at commas and spaces outside of parentheses.
fn words(text: &str) -> Vec<String> {
    let mut open = false;
    let cut = |c: char| {
        match c {
            '(' => open = true,
            ')' => open = false,
            _ => {}
        }
        !open && matches!(c, ',' | ' ')
    };
    let words = text.split(cut).map(|word| Blanks::EcmaScript.trim(word));
    words
        .filter(|word| !word.is_empty())
        .map(ToString::to_string)
        .collect()
}
