//! A product's instructions for a project.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// A product's instructions for a project.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct InstructionRules {
    /// The files, relative to the project, that import others with `@path`.
    #[serde(default)]
    pub importing: Vec<String>,
    /// The folder of instructions for some files, relative to the project.
    #[serde(default)]
    pub folder: Option<String>,
    /// The ending of their names.
    #[serde(default)]
    pub ending: String,
    /// The keys that say when they apply.
    #[serde(default)]
    pub scopes: Vec<String>,
}
