//! What a product's settings name.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What a product's settings name, beside hooks and MCP servers. They are in the same files as hooks.
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
}
