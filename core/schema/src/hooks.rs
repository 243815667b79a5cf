//! How a product's hooks are configured.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::settings::Json;

/// How a product's hooks are configured. Without events or types, those are not known.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct HookRules {
    /// The files of a project that configure hooks, relative to it; `*` in one means any name, and `**/*` also one in folders.
    #[serde(default)]
    pub files: Vec<String>,
    /// The file of a plugin's hooks; its manifest may add others.
    #[serde(default)]
    pub plugin_file: Option<String>,
    /// The keys of that file, if it must have one of them.
    #[serde(default)]
    pub plugin_keys: Vec<String>,
    /// The variable of a plugin's directory.
    #[serde(default)]
    pub plugin_variable: Option<String>,
    /// The variables of the project's directory.
    #[serde(default)]
    pub variables: Vec<String>,
    /// How the files are read.
    #[serde(default)]
    pub json: Json,
    /// The events.
    #[serde(default)]
    pub events: Vec<String>,
    /// The events whose matcher names tools, and is compared as a whole.
    #[serde(default)]
    pub tool_events: Vec<String>,
    /// The events whose matcher names agents.
    #[serde(default)]
    pub agent_events: Vec<String>,
    /// The events whose matcher names commands.
    #[serde(default)]
    pub command_events: Vec<String>,
    /// The events whose matcher names MCP servers.
    #[serde(default)]
    pub server_events: Vec<String>,
    /// The types of hooks.
    #[serde(default)]
    pub types: Vec<String>,
    /// Whether a hook requires a type.
    #[serde(default)]
    pub strict: bool,
    /// The keys of a command; a hook requires one.
    #[serde(default)]
    pub commands: Vec<String>,
    /// Whether hooks in files are checked as those of Copilot's agents, instead of what a hook requires.
    #[serde(default)]
    pub as_copilot: bool,
    /// Whether hooks are in groups with a matcher.
    #[serde(default)]
    pub grouped: bool,
}

impl HookRules {
    /// Whether there is an event of this name, as far as is known.
    pub fn has_event(&self, event: &str) -> bool {
        self.events.is_empty() || self.events.iter().any(|known| known == event)
    }
}
