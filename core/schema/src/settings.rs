//! What a product's settings and texts name.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What a product's settings name, beside hooks and MCP servers. They are in the same files.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SettingRules {
    /// The paths of names of agents: keys with dots between them, `*` for each of several.
    #[serde(default)]
    pub agents: Vec<String>,
    /// The same of what defines agents, or adds to those in files.
    #[serde(default)]
    pub agent_definitions: Vec<String>,
    /// The same of what has an entry for each agent of its name.
    #[serde(default)]
    pub agent_entries: Vec<String>,
    /// The same of what has an entry for each skill of its name.
    #[serde(default)]
    pub skills: Vec<String>,
    /// The key with lists of permissions such as `Agent(name)`.
    #[serde(default)]
    pub permissions: Option<String>,
    /// The same of agents' files. An agent without its file is ignored. Paths are relative to the settings.
    #[serde(default)]
    pub agent_files: Vec<String>,
    /// The same of other files, which need not exist.
    #[serde(default)]
    pub files: Vec<String>,
    /// Whether these are relative to the project.
    #[serde(default)]
    pub from_project: bool,
    /// Whether `{file:PATH}` is replaced by the contents of a file, which has to exist.
    #[serde(default)]
    pub includes: bool,
}

/// What a reader of JSON accepts.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Json {
    /// JSON alone.
    #[default]
    Strict,
    /// Comments, too.
    Comments,
    /// Comments, and a comma before the end of a list or an object.
    Lenient,
}

/// What stands before a name in the text of an agent, a skill or a command; none if texts of the product name nothing of that kind.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TextNames {
    /// The argument of the tool that calls an agent.
    #[serde(default)]
    pub agents: Option<String>,
    /// Before a command or a skill.
    #[serde(default)]
    pub commands: Option<char>,
    /// Before an agent in a command, unless a file has the name.
    #[serde(default)]
    pub mentions: Option<char>,
    /// Before the tool of an MCP server.
    #[serde(default)]
    pub tools: Option<String>,
}
