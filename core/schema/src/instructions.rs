//! A product's instructions for a project.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// Some of a product's instructions for a project.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct InstructionRules {
    /// Files, relative to the project.
    #[serde(default)]
    pub files: Vec<String>,
    /// A folder of files, relative to the project.
    #[serde(default)]
    pub folder: Option<String>,
    /// The ending of their names.
    #[serde(default)]
    pub ending: String,
    /// Whether they import others with `@path`.
    #[serde(default)]
    pub imports: bool,
    /// The key with patterns of the files that they are for.
    #[serde(default)]
    pub patterns: Option<String>,
    /// The patterns that are for all files, in a run.
    #[serde(default)]
    pub everywhere: Vec<String>,
    /// The keys that say when they apply; without any, they never do by themselves.
    #[serde(default)]
    pub scopes: Vec<String>,
}

impl InstructionRules {
    /// Whether a file is among them.
    pub fn has(&self, place: &str) -> bool {
        let is_in = |folder: &String| {
            let rest = place.strip_prefix(&**folder);
            rest.is_some_and(|rest| rest.starts_with('/')) && place.ends_with(&*self.ending)
        };
        self.files.iter().any(|file| file == place) || self.folder.as_ref().is_some_and(is_in)
    }
}
