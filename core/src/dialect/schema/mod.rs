//! The shape of a dialect file. Also read by the build script, which turns the TOML into what the library embeds.

mod delegation;
pub mod edition;
mod fields;
mod files;
mod keys;
mod kind;
mod places;
mod tools;
mod verdict;

pub use delegation::{CommandPatterns, Delegation, ModelAbsent, PromptPlace};
pub use fields::Canonical;
pub use files::{Clash, Format, Identity};
pub use keys::{Condition, Form, Key, Shape};
pub use kind::{Kind, KindRules};
pub use places::{FileRule, Level, Source};
pub use tools::{Extent, Specifiers, ToolDefaults, ToolShape, ToolText};
pub use verdict::{BodyRule, NoFrontmatter, Tolerance, Verdict};

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use verdict::{dropped, fine};

/// A set of rules for reading agent files.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Dialect {
    /// Its name.
    pub id: String,
    /// The product's display name.
    pub title: String,
    /// The document or the release that the rules are from.
    pub evidence: String,
    /// What its files define.
    #[serde(skip)]
    pub kind: Kind,
    /// How its files are written.
    #[serde(default)]
    pub format: Format,
    /// The name of an agent that does not set one.
    #[serde(default)]
    pub identity: Identity,
    /// The precedence of equal names.
    pub clash: Clash,
    /// The strictest reading that the product does not require.
    pub tolerates: Tolerance,
    /// What a duplicate key means. If it is fine, the last one counts.
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
    /// What an empty or missing `tools` means.
    pub tools: ToolDefaults,
    /// Model aliases.
    #[serde(default)]
    pub model_aliases: Vec<String>,
    /// Whether any word may name a model, as a profile of the user's own.
    #[serde(default)]
    pub any_model: bool,
    /// Whether a model may be given by its display name.
    #[serde(default)]
    pub titled_models: bool,
    /// Whether a broken file leaves its name without a fallback.
    #[serde(default)]
    pub broken_keeps_name: bool,
    /// Whether an agent of a plugin is named `plugin:name`.
    #[serde(default)]
    pub plugin_prefix: bool,
    /// Whether names that differ only in case and separators are the same.
    #[serde(default)]
    pub folds_names: bool,
    /// Whether it looks for an agent in the file of that name, in some functions.
    #[serde(default)]
    pub by_file: bool,
    /// Built-in agents that are not among the ones here.
    #[serde(default)]
    pub other_agents: Vec<String>,
    /// The folders of skills, below the project and the home directory.
    #[serde(default)]
    pub skills: Vec<String>,
    /// The project's file of MCP servers.
    #[serde(default)]
    pub server_file: Option<String>,
    /// The total tokens of all descriptions above which it warns.
    #[serde(default)]
    pub description_budget: Option<u32>,
    /// How the sources of its plugins are recognized.
    #[serde(default)]
    pub plugin_source: Option<PluginSource>,
    /// Its message for an unknown name; `{name}` and `{names}` are filled in.
    pub not_found: String,
    /// How its agents call each other.
    pub delegation: Delegation,
    /// Its sources, in documented order: the winner first under `first-wins`, else last.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    /// The keys that it knows.
    #[serde(rename = "key")]
    pub keys: Vec<Key>,
    /// The agents that it ships. Filled in by the build script from `builtins/<id>/`.
    #[serde(default)]
    pub built_ins: Vec<BuiltIn>,
    /// Whether its releases were measured in this kind of place: in directories of agents, not in plugins.
    #[serde(skip)]
    pub unmeasured: bool,
}

/// How the source of a plugin is recognized.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PluginSource {
    /// The folder that marks one.
    pub mark: String,
    /// The folder beside it that holds the agents, unless the manifest says otherwise.
    pub directory: String,
    /// The same for commands.
    pub commands: String,
    /// The folder beside it that holds skills; the manifest may add others.
    pub skills: String,
    /// The plugin's manifest in the marking folder.
    pub manifest: String,
    /// The marketplace's manifest in the marking folder.
    pub marketplace: String,
}

/// An agent that a dialect ships.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BuiltIn {
    /// Its file's name.
    pub file: String,
    /// Its file's text.
    pub text: String,
}
