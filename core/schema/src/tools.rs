//! The forms of a list of tools, and the meaning of an empty one.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::verdict::{Verdict, fine};

/// What an empty or missing `tools` means.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolDefaults {
    /// Where the key is absent.
    pub absent: Extent,
    /// Where it has no value.
    pub null: Extent,
    /// Where the list is empty.
    pub empty: Extent,
    /// What an unknown tool means for the agent.
    #[serde(default = "fine")]
    pub unknown: Verdict,
    /// The effect of a specifier in the list.
    #[serde(default)]
    pub specifiers: Specifiers,
}

/// The effect of a specifier in a list of allowed tools.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Specifiers {
    /// It restricts the tool.
    #[default]
    Narrow,
    /// Nothing: the whole tool is allowed.
    Ignored,
    /// It is part of the name.
    Literal,
}

/// All tools or none.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// All that the parent has.
    All,
    /// None.
    None,
}

/// How a list of tools is written.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolShape {
    /// The meaning of text.
    pub text: ToolText,
    /// Whether lists are accepted.
    pub list: bool,
    /// Words that mean all tools.
    #[serde(default)]
    pub all: Vec<String>,
    /// Whether new files have text although a list is accepted: other products that read them accept only that.
    #[serde(default)]
    pub write_text: bool,
}

/// The meaning of text in place of a list of tools.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolText {
    /// Comma-separated tools.
    Commas,
    /// Tools separated by commas or spaces outside of parentheses.
    Words,
    /// The same without line ends, also in an item of a list.
    Spaces,
    /// One tool.
    One,
    /// It is refused.
    Never,
}
