//! What is read strictly, and what a mistake means for the agent.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// The strictest reading that a product does without.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Tolerance {
    /// None: a frontmatter that is no YAML is refused.
    Strict,
    /// Values that should have been quoted are accepted.
    UnquotedValues,
}

/// What happens to the blanks around a body.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BodyRule {
    /// Whether they are trimmed.
    pub trim: bool,
    /// What an empty body means.
    pub empty: Verdict,
    /// What the product says to it.
    #[serde(default)]
    pub empty_text: String,
    /// What a file without frontmatter is.
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

/// What a file without frontmatter is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum NoFrontmatter {
    /// No agent, but some other document.
    NotAnAgent,
    /// An agent all of whose keys are absent.
    Agent,
}

/// What something wrong means for the agent.
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

/// A mistake that costs nothing.
pub(super) fn fine() -> Verdict {
    Verdict::Fine
}

/// A mistake that costs what the key says.
pub(super) fn ignored() -> Verdict {
    Verdict::Ignored
}
