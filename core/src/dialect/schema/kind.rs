//! What a file defines, and the rules of a product for files that are not agents.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::files::{Clash, Format, Identity};
use super::keys::Key;
use super::places::{FileRule, Source};
use super::verdict::{BodyRule, Tolerance, Verdict, dropped, fine};

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

/// The rules of a product for its skills or commands. For everything else, those for its agents apply.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct KindRules {
    /// The dialect whose other rules apply.
    pub dialect: String,
    /// The name and title of a format that has no agents; otherwise those of the dialect.
    #[serde(default)]
    pub alone: Option<Alone>,
    /// What its files define. The build script takes it from the folder.
    #[serde(default)]
    pub kind: Kind,
    /// The document or the release that the rules are from.
    pub evidence: String,
    /// How its files are written.
    #[serde(default)]
    pub format: Format,
    /// The name of a file that does not set one.
    pub identity: Identity,
    /// The precedence of equal names.
    pub clash: Clash,
    /// The strictest reading that the product does not require.
    pub tolerates: Tolerance,
    /// What a duplicate key means.
    #[serde(default = "fine")]
    pub duplicate_keys: Verdict,
    /// What an unknown key means.
    #[serde(default = "fine")]
    pub unknown_keys: Verdict,
    /// What a name other than the folder's costs, if the product requires it.
    #[serde(default)]
    pub other_folder: Option<String>,
    /// How many characters of `description` and `when_to_use` are listed.
    #[serde(default)]
    pub listing: Option<u32>,
    /// The prefix of its variables.
    #[serde(default)]
    pub variable_prefix: Option<String>,
    /// The variables that it replaces in the text.
    #[serde(default)]
    pub variables: Vec<String>,
    /// What frontmatter that cannot be read means.
    #[serde(default = "dropped")]
    pub bad_frontmatter: Verdict,
    /// What happens to whitespace around the body.
    pub body: BodyRule,
    /// Which files it reads.
    pub files: FileRule,
    /// Its sources, in documented order: the winner first under `first-wins`, else last.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
    /// The keys that it knows.
    #[serde(default, rename = "key")]
    pub keys: Vec<Key>,
}

/// A format that has no agents.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Alone {
    /// Its name.
    pub id: String,
    /// Its display name.
    pub title: String,
}
