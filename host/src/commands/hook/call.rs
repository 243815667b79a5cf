//! What a coding agent tells its hooks about a call of a tool, and how a hook answers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

/// The arguments that name a file: of Claude Code, VS Code and Copilot CLI.
const FILE: [&str; 3] = ["file_path", "filePath", "path"];

/// The lines of a patch that name a file, which may be the only argument of a tool.
const PATCHED: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Move to: "];

/// A call of a tool.
#[derive(Deserialize)]
pub(super) struct Call {
    /// Claude Code's name of the event. Copilot CLI does not send it, and reads another form of answers.
    #[serde(rename = "hook_event_name")]
    event: Option<String>,
    cwd: Option<PathBuf>,
    #[serde(default, alias = "toolArgs")]
    tool_input: Value,
}

impl Call {
    /// The files that it may have changed.
    pub(super) fn files(&self) -> BTreeSet<PathBuf> {
        // Some releases of Copilot CLI send the arguments as text.
        let inner = self
            .tool_input
            .as_str()
            .and_then(|text| serde_json::from_str(text).ok());
        let arguments = inner.as_ref().unwrap_or(&self.tool_input);
        let named = FILE.iter().filter_map(|key| arguments.get(key)?.as_str());
        let patch = arguments.as_str().unwrap_or_default();
        let patched = patch.lines().filter_map(|line| {
            let mut starts = PATCHED.iter();
            starts.find_map(|start| line.strip_prefix(start))
        });
        let base = self.cwd.as_deref().unwrap_or(Path::new(""));
        named.chain(patched).map(|path| base.join(path)).collect()
    }

    /// The answer that makes the agent read a text.
    pub(super) fn answer(&self, text: &str) -> Value {
        match &self.event {
            Some(event) => {
                json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } })
            }
            None => json!({ "additionalContext": text }),
        }
    }
}
