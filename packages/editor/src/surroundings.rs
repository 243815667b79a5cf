//! The editor's files, by the names that it has for them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use callsheet_contract::bindings::callsheet::agents::files;
use callsheet_server::{Failure, Folder, Host};
use gen_lsp_types::Uri;
use lsp_server::Message;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};

use crate::folder::Opened;

/// What is not written as it is in the path of an address.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// What the client is told in a turn.
#[derive(Default)]
pub(crate) struct Surroundings {
    messages: RefCell<Vec<String>>,
    failures: RefCell<Vec<String>>,
}

impl Surroundings {
    /// The messages since the last call.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.messages.take()
    }

    /// The failures since the last call.
    pub(crate) fn failures(&self) -> Vec<String> {
        self.failures.take()
    }
}

impl Host for Surroundings {
    fn open(&self, directory: &Path) -> Result<Box<dyn Folder>, Failure> {
        Ok(Box::new(Opened::new(&directory.to_string_lossy())))
    }

    /// No file is there.
    fn fallback(&self) -> PathBuf {
        PathBuf::from("/")
    }

    fn path(&self, address: &Uri) -> Option<PathBuf> {
        if address.scheme() != "file" || address.host_str().is_some() {
            return None;
        }
        let path = percent_decode_str(address.path()).decode_utf8().ok()?;
        Some(PathBuf::from(path.into_owned()))
    }

    fn address(&self, path: &Path) -> Option<Uri> {
        let path = utf8_percent_encode(path.to_str()?, ENCODED);
        Uri::parse(&format!("file://{path}")).ok()
    }

    /// Links are not followed.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        Some(path.to_owned())
    }

    fn is_directory(&self, path: &Path) -> bool {
        files::list_directory(&path.to_string_lossy()).is_ok()
    }

    fn exists(&self, path: &Path) -> bool {
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
            return true;
        };
        let entries = files::list_directory(&directory.to_string_lossy());
        entries.is_ok_and(|entries| entries.iter().any(|entry| *entry.name == *name))
    }

    fn send(&self, message: Message) {
        let mut message = serde_json::to_value(message).expect("the protocol is JSON");
        if let Value::Object(members) = &mut message {
            members.insert("jsonrpc".to_owned(), json!("2.0"));
        }
        self.messages.borrow_mut().push(message.to_string());
    }

    fn complain(&self, failure: &Failure) {
        let lines = [&failure.message].into_iter().chain(&failure.help).cloned();
        self.failures
            .borrow_mut()
            .push(lines.collect::<Vec<_>>().join("\n"));
    }
}
