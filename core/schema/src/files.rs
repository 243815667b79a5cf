//! What files define, how they are written, what they are called, and which of equal names wins.

use serde::{Deserialize, Serialize};

/// What a file defines.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An agent.
    #[default]
    Agent,
    /// A skill: a folder with a file of instructions.
    Skill,
    /// A command: a prompt that a user calls by name.
    Command,
}

/// How files are written.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Markdown after a frontmatter of YAML.
    #[default]
    Markdown,
    /// TOML, the prompt being one of its values.
    Toml,
}

/// The name of an agent that does not set one.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Identity {
    /// Its file name without the extension.
    #[default]
    Stem,
    /// The same, prefixed with the directories below the source.
    Path,
    /// The same with colons in place of slashes.
    Colons,
    /// The same with two dashes in place of slashes.
    Dashes,
    /// The name of the folder that the file is in.
    Folder,
}

impl Identity {
    /// What is between the directories in a name; none if they are not a part of it.
    pub fn separator(self) -> Option<&'static str> {
        match self {
            Self::Path => Some("/"),
            Self::Colons => Some(":"),
            Self::Dashes => Some("--"),
            Self::Stem | Self::Folder => None,
        }
    }
}

/// The precedence of equal names.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Clash {
    /// The first source that has the name.
    FirstWins,
    /// The last source that has the name.
    LastWins,
    /// The last source that has the name, and in it the first path.
    LastSourceWins,
    /// The last source that has the name; keys it lacks are taken from earlier ones.
    Merge,
    /// Every source that has the name.
    All,
    /// Every source that has the name, each under another name: with the source's prefix.
    Prefixed,
}

impl Clash {
    /// The precedence of equal names, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::FirstWins => "the first source with a name wins",
            Self::LastWins | Self::LastSourceWins => "the last source with a name wins",
            Self::All => "every source with a name is listed; none replaces another",
            Self::Prefixed => "a name that several sources have gets a prefix in each",
            Self::Merge => {
                "the last source with a name wins, and takes the fields it lacks from earlier ones"
            }
        }
    }
}
