//! What the client of the server can do.

use serde_json::Value;

use super::lines::Encoding;

/// What a client can do.
pub struct Client {
    pub(super) encoding: Encoding,
    /// Whether it asks for the findings of open files.
    pub(super) pulls: bool,
    /// Whether it can be told to ask again.
    pub(super) refreshes: bool,
    /// Whether it shows progress that the server starts.
    pub(super) progress: bool,
    /// Whether it watches files for the server.
    pub(super) watches: bool,
    /// Whether edits may state the version of the file that they are for.
    pub(super) versions: bool,
    /// Whether it named a folder; else the host's own one is open.
    pub(super) names_folders: bool,
    /// Whether edits may create files.
    pub(super) creates: bool,
    /// Whether edits may rename files.
    pub(super) renames: bool,
    /// Whether it asks what can be renamed.
    pub(super) prepares: bool,
    /// Whether it asks for edits when a file is renamed.
    pub(super) follows: bool,
    /// Whether it can be told to ask for lenses again.
    pub(super) lenses: bool,
    /// Its commands that a lens may have.
    pub(super) commands: Vec<String>,
}

impl Client {
    /// From the capabilities of `initialize`.
    pub(super) fn of(capabilities: &Value) -> Self {
        let says = |pointer: &str| capabilities.pointer(pointer) == Some(&Value::Bool(true));
        let operations = capabilities.pointer("/workspace/workspaceEdit/resourceOperations");
        let operations = operations.and_then(Value::as_array).into_iter().flatten();
        let may = |wanted: &str| operations.clone().any(|operation| operation == wanted);
        let (creates, renames) = (may("create"), may("rename"));
        let commands = capabilities
            .pointer("/experimental/commands")
            .and_then(Value::as_array);
        let commands = commands.into_iter().flatten();
        let offered = capabilities.pointer("/general/positionEncodings");
        let offered = offered.and_then(Value::as_array).into_iter().flatten();
        Self {
            encoding: Encoding::best(offered.filter_map(Value::as_str)),
            pulls: capabilities.pointer("/textDocument/diagnostic").is_some(),
            refreshes: says("/workspace/diagnostics/refreshSupport"),
            progress: says("/window/workDoneProgress"),
            watches: says("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            // Moves are written among such edits, whether the client names both or not.
            versions: says("/workspace/workspaceEdit/documentChanges") || renames,
            names_folders: true,
            creates,
            renames,
            prepares: says("/textDocument/rename/prepareSupport"),
            follows: says("/workspace/fileOperations/willRename"),
            lenses: says("/workspace/codeLens/refreshSupport"),
            commands: commands.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }
}
