//! What the server knows: its client, the folders and the open files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;
use serde_json::Value;

use super::lines::Encoding;
use super::root::{Root, real};

/// The scheme of new texts.
const UNTITLED: &str = "untitled";

/// What the client can do.
pub(super) struct Client {
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
            creates,
            renames,
            prepares: says("/textDocument/rename/prepareSupport"),
            follows: says("/workspace/fileOperations/willRename"),
            lenses: says("/workspace/codeLens/refreshSupport"),
            commands: commands.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }
}

/// An open file.
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: String,
}

pub(super) struct State {
    pub(super) client: Client,
    /// The folders of the editor; at least one.
    pub(super) roots: Vec<Root>,
    /// Open files, by path without links; texts without a path by their address.
    pub(super) documents: BTreeMap<PathBuf, Document>,
}

impl State {
    /// The path of a file or a folder without links, or the address of a text without a path; none for what is not on a disk.
    pub(super) fn path(uri: &Uri) -> Option<PathBuf> {
        match (uri.scheme(), uri.to_file_path()) {
            // An editor may know where it will save a new file.
            ("file" | UNTITLED, Ok(path)) => real(&path),
            (UNTITLED, Err(())) => Some(PathBuf::from(uri.as_str())),
            _ => None,
        }
    }

    /// Whether this is a text without a path, for which [`path`](Self::path) is an address.
    pub(super) fn is_untitled(path: &Path) -> bool {
        path.is_relative()
    }

    /// The root of a file: the innermost folder that contains it, else the first.
    pub(super) fn root(&mut self, path: &Path) -> &mut Root {
        let at = self.root_of(path);
        &mut self.roots[at]
    }

    pub(super) fn root_of(&self, path: &Path) -> usize {
        let depth = |root: &Root| {
            path.starts_with(&root.directory)
                .then(|| root.directory.components().count())
        };
        let depths = self.roots.iter().map(depth).enumerate();
        depths
            .rev()
            .max_by_key(|(_, depth)| *depth)
            .map_or(0, |(at, _)| at)
    }

    /// The contents of a file as the editor has them, else as stored; nothing for one that cannot be read.
    pub(super) fn bytes(&mut self, path: &Path) -> Vec<u8> {
        match self.documents.get(path) {
            Some(document) => document.text.as_bytes().to_vec(),
            None => {
                let name = path.to_string_lossy().into_owned();
                let root = self.root(path);
                root.context.callsheet.read(&name).unwrap_or_default()
            }
        }
    }

    /// The address of a file; as the client wrote it if it is open.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        match self.documents.get(path) {
            Some(document) => Some(document.uri.clone()),
            None => Uri::from_file_path(path).ok(),
        }
    }
}
