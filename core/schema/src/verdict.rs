//! How strictly files are read, and what a mistake means for the agent.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::files::Kind;

/// The strictest reading that a product does not require.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Tolerance {
    /// None: frontmatter that is not valid YAML is refused.
    Strict,
    /// Values that should have been quoted are accepted.
    UnquotedValues,
    /// What is valid YAML once values are put in quotes as Claude Code does, line by line.
    UnquotedLines,
    /// Values that should have been quoted because of a colon are accepted.
    UnquotedColons,
}

/// What happens to whitespace around a body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BodyRule {
    /// Whether they are trimmed.
    pub trim: bool,
    /// What an empty body means.
    pub empty: Verdict,
    /// The product's message for it.
    #[serde(default)]
    pub empty_text: String,
    /// The meaning of a file without frontmatter.
    pub no_frontmatter: NoFrontmatter,
    /// Whether the closing fence may be indented.
    #[serde(default)]
    pub indented_fence: bool,
    /// The fewest characters.
    #[serde(default)]
    pub shortest: Option<u32>,
    /// The most characters.
    #[serde(default)]
    pub longest: Option<u32>,
    /// What fewer or more mean.
    #[serde(default = "ignored")]
    pub out_of_bounds: Verdict,
}

/// The meaning of a file without frontmatter.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum NoFrontmatter {
    /// Not an agent, but another document.
    NotAnAgent,
    /// An agent all of whose keys are absent.
    Agent,
}

/// What a mistake means for the agent.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing.
    Fine,
    /// It loads, as if the key were absent.
    Ignored,
    /// It is listed, but cannot be called.
    Withheld,
    /// It is not loaded.
    Dropped,
}

impl Verdict {
    /// The consequence in words.
    pub fn consequence(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Dropped, Kind::Agent) => "the agent is not loaded",
            (Self::Dropped, Kind::Skill) => "the skill is not loaded",
            (Self::Dropped, Kind::Command) => "the command is not loaded",
            (Self::Withheld, _) => "the agent is listed, but cannot be called",
            (Self::Ignored, _) => "it has no effect",
            (Self::Fine, _) => "",
        }
    }
}

/// A mistake without consequences.
pub(crate) fn fine() -> Verdict {
    Verdict::Fine
}

/// A mistake that costs the file.
pub(crate) fn dropped() -> Verdict {
    Verdict::Dropped
}

/// A mistake that costs what the key says.
pub(crate) fn ignored() -> Verdict {
    Verdict::Ignored
}

/// What is so unless a file says otherwise.
pub(crate) fn yes() -> bool {
    true
}
