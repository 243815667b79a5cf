//! What the server knows: its client, the folders and the open files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gen_lsp_types::Uri;

use super::client::Client;
use super::host::Host;
use super::root::Root;

/// The scheme of new texts.
const UNTITLED: &str = "untitled";

/// An open file.
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: String,
}

pub(super) struct State {
    pub(super) host: Rc<dyn Host>,
    pub(super) client: Client,
    /// The folders of the editor; at least one.
    pub(super) roots: Vec<Root>,
    /// Open files, by path without links; texts without a path by their address.
    pub(super) documents: BTreeMap<PathBuf, Document>,
}

impl State {
    /// The path of a file or a folder without links, or the address of a text without a path; none for what is not on a disk.
    pub(super) fn path(&self, uri: &Uri) -> Option<PathBuf> {
        match (uri.scheme(), self.host.path(uri)) {
            // An editor may know where it will save a new file.
            ("file" | UNTITLED, Some(path)) => self.host.real(&path),
            (UNTITLED, None) => Some(PathBuf::from(uri.as_str())),
            _ => None,
        }
    }

    /// Whether this is a text without a path, for which [`path`](Self::path) is an address.
    pub(super) fn is_untitled(path: &Path) -> bool {
        !path.has_root()
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
                root.folder.read(&name).unwrap_or_default()
            }
        }
    }

    /// The address of a file; as the client wrote it if it is open.
    pub(super) fn uri(&self, path: &Path) -> Option<Uri> {
        match self.documents.get(path) {
            Some(document) => Some(document.uri.clone()),
            None => self.host.address(path),
        }
    }
}
