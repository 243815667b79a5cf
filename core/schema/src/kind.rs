//! The rules of a product for files that are not agents.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::call::CallRules;
use crate::files::{Clash, Format, Identity, Kind};
use crate::keys::Key;
use crate::places::{FileRule, Source};
use crate::verdict::{BodyRule, Tolerance, Verdict, dropped, fine};

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
    /// Whether a skill wins over every command of its name.
    #[serde(default)]
    pub skills_win: bool,
    /// What a name other than the folder's costs, if the product requires it.
    #[serde(default)]
    pub other_folder: Option<String>,
    /// How many characters of `description` and `when_to_use` are listed.
    #[serde(default)]
    pub listing: Option<u32>,
    /// The total tokens of the descriptions that it lists.
    #[serde(default)]
    pub description_budget: Option<u32>,
    /// The prefix of its variables.
    #[serde(default)]
    pub variable_prefix: Option<String>,
    /// The variables that it replaces in the text.
    #[serde(default)]
    pub variables: Vec<String>,
    /// How it is called.
    #[serde(default)]
    pub call: CallRules,
    /// What frontmatter that cannot be read means.
    #[serde(default = "dropped")]
    pub bad_frontmatter: Verdict,
    /// What frontmatter means that is not closed or no map, or that begins late.
    #[serde(default = "dropped")]
    pub unread_frontmatter: Verdict,
    /// Whether one refused file keeps the product from loading anything of the project.
    #[serde(default)]
    pub fatal: bool,
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
    /// The variable of a plugin's directory.
    #[serde(default)]
    pub plugin_variable: Option<String>,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Skill, Self::Command];

    /// The word for one.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Skill => "skill",
            Self::Command => "command",
        }
    }

    /// The word with its article.
    pub fn a(self) -> &'static str {
        match self {
            Self::Agent => "an agent",
            Self::Skill => "a skill",
            Self::Command => "a command",
        }
    }
}
