//! Where agents keep what they learn.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// The memory of agents whose files ask for one.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MemoryRules {
    /// The places by the values of the field.
    #[serde(default, rename = "place")]
    pub places: Vec<MemoryPlace>,
    /// The file in an agent's folder that it is always told.
    #[serde(default)]
    pub index: String,
    /// How many lines of it.
    #[serde(default)]
    pub lines: usize,
    /// The tools that read and write the agent's folder, which it has for that also without listing them.
    #[serde(default)]
    pub tools: Vec<String>,
}

/// A place for memories.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MemoryPlace {
    /// The value of the field.
    pub scope: String,
    /// The folder with a folder for each agent.
    pub folder: String,
    /// Whether it is in the home directory, where tools write nothing.
    #[serde(default)]
    pub home: bool,
    /// Whether it is the user's own.
    #[serde(default)]
    pub personal: bool,
}
