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

impl ToolRule {
    /// The held tools, or why the file is dropped.
    pub(super) fn hold(&self, keys: &Keys<'_>) -> Result<HeldTools, String> {
        let Some(found) = keys.find(&self.keys, self.next) else {
            return Ok(HeldTools::of(self.absent));
        };
        let names = match found.value {
            Value::Null => return Ok(HeldTools::of(self.null)),
            value if self.falsy_is_null && !value.is_truthy() => return Ok(HeldTools::of(self.null)),
            Value::Text(text) => match self.empty_text {
                Some(extent) if text.is_empty() => return Ok(HeldTools::of(extent)),
                _ if self.all.contains(text) => return Ok(HeldTools::All),
                _ => self.split(text),
            },
            Value::List(items) if self.list != ToolList::Wrong => self.items(items),
            _ if !self.wrong.is_empty() => return Err(self.wrong.clone()),
            _ => return Ok(HeldTools::of(self.other)),
        };
        Ok(match (names.is_empty(), self.empty, self.star) {
            (true, Some(extent), _) => HeldTools::of(extent),
            (_, _, Some(extent)) if names.iter().any(|name| name == "*") => HeldTools::of(extent),
            _ => HeldTools::Only(names),
        })
    }

    fn items(&self, items: &[Value]) -> Vec<String> {
        let texts = || items.iter().filter_map(Value::text);
        match self.list {
            ToolList::Texts => texts().map(ToString::to_string).collect(),
            ToolList::TrimmedTexts => texts().map(|text| text.trim().to_owned()).collect(),
            ToolList::Split => texts().flat_map(|text| self.split(text)).collect(),
            ToolList::PythonTexts => items.iter().map(python_text).collect(),
            ToolList::Wrong => Vec::new(),
        }
    }

    fn split(&self, text: &str) -> Vec<String> {
        match self.text {
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
