//! What a list of tools is, and what it means where it says nothing.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::verdict::{Verdict, fine};

/// What `tools` means where it says nothing.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ToolDefaults {
    /// Where the key is absent.
    pub absent: Extent,
    /// Where it has no value.
    pub null: Extent,
    /// Where the list is empty.
    pub empty: Extent,
    /// What a name that is no tool's means for the agent.
    #[serde(default = "fine")]
    pub unknown: Verdict,
    /// What a specifier does in the list.
    #[serde(default)]
    pub specifiers: Specifiers,
}

/// What a specifier does in a list of tools that are allowed.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Specifiers {
    /// It narrows the tool.
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
    /// What text is.
    pub text: ToolText,
    /// Whether lists are taken.
    pub list: bool,
    /// Words that mean all tools.
    #[serde(default)]
    pub all: Vec<String>,
    /// Whether new files have text where a list would be taken too: other products that read them know only that.
    #[serde(default)]
    pub write_text: bool,
}

/// What text is where tools are listed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum ToolText {
    /// Tools with commas between them.
    Commas,
    /// One tool.
    One,
    /// Nothing: it is not taken.
    Never,
}
