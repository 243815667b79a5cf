//! What a product's settings and texts name.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What a product's settings name, beside hooks and MCP servers. They are in the same files.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SettingRules {
    /// The keys whose value is the name of an agent.
    #[serde(default)]
    pub agents: Vec<String>,
    /// The keys whose entries are called after skills.
    #[serde(default)]
    pub skills: Vec<String>,
    /// The key with lists of permissions such as `Agent(name)`.
    #[serde(default)]
    pub permissions: Option<String>,
    /// The paths of agents' files: keys with dots between them, `*` for each of several. An agent without its file is ignored. The paths
    /// are relative to the settings.
    #[serde(default)]
    pub agent_files: Vec<String>,
    /// The same of other files, which need not exist.
    #[serde(default)]
    pub files: Vec<String>,
    /// What the product does if it cannot read them; ignores them if nothing is stated.
    #[serde(default)]
    pub unread: Option<String>,
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
    /// Before the tool of an MCP server.
    #[serde(default)]
    pub tools: Option<String>,
}
