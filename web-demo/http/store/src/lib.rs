//! Files in memory, for the component during one request.
#![allow(unsafe_code, reason = "generated bindings")]

mod bindings {
    #![allow(missing_docs, reason = "the contract documents them")]
    wit_bindgen::generate!({
        inline: "
            package callsheet:http-store;
            world lends {
                export callsheet:http/store@0.1.0;
                export callsheet:agents/conversation@0.1.0;
                export callsheet:agents/files@0.1.0;
                export callsheet:agents/model@0.1.0;
                export callsheet:agents/tools@0.1.0;
            }
        ",
        path: ["../../../wit", "../wit"],
        world: "callsheet:http-store/lends",
        default_bindings_module: "crate::bindings",
    });
}

use std::cell::RefCell;
use std::collections::BTreeMap;

use self::bindings::exports::callsheet::agents::conversation::{
    CallError, ModelAnswer, ModelRequest, ToolAnswer, ToolRequest,
};
use self::bindings::exports::callsheet::agents::files::{Entry, FileError, Kind};
use self::bindings::exports::callsheet::agents::{files, model, tools};
use self::bindings::exports::callsheet::http::store;

struct Store;

bindings::export!(Store with_types_in bindings);

thread_local! {
    static FILES: RefCell<BTreeMap<String, Vec<u8>>> = RefCell::default();
}

impl store::Guest for Store {
    fn clear() {
        FILES.with_borrow_mut(BTreeMap::clear);
    }

    fn put(path: String, contents: Vec<u8>) {
        FILES.with_borrow_mut(|files| files.insert(path, contents));
    }
}

impl files::Guest for Store {
    fn list_directory(path: String) -> Result<Vec<Entry>, FileError> {
        let path = plain(&path);
        let above = if path.is_empty() {
            path.clone()
        } else {
            format!("{path}/")
        };
        let mut found = BTreeMap::new();
        FILES.with_borrow(|files| {
            if files.contains_key(&path) {
                return Err(FileError::NotADirectory);
            }
            for (file, contents) in files {
                let Some(below) = file.strip_prefix(&above) else {
                    continue;
                };
                let name = below.split('/').next().unwrap_or(below);
                found.insert(name.to_owned(), entry(name, below, contents));
            }
            if found.is_empty() && !path.is_empty() {
                Err(FileError::NotFound)
            } else {
                Ok(found.into_values().collect())
            }
        })
    }

    fn read(path: String) -> Result<Vec<u8>, FileError> {
        FILES.with_borrow(|files| files.get(&plain(&path)).cloned().ok_or(FileError::NotFound))
    }
}

impl model::Guest for Store {
    fn complete(_: ModelRequest) -> Result<ModelAnswer, CallError> {
        Err(CallError::Denied("no model available".to_owned()))
    }
}

impl tools::Guest for Store {
    fn call(_: ToolRequest) -> Result<ToolAnswer, CallError> {
        Err(CallError::Denied("no tools available".to_owned()))
    }
}

fn entry(name: &str, below: &str, contents: &[u8]) -> Entry {
    let is_file = name.len() == below.len();
    Entry {
        name: name.to_owned(),
        kind: if is_file { Kind::File } else { Kind::Directory },
        size: if is_file { contents.len() as u64 } else { 0 },
        modified: None,
    }
}

/// The path relative to the project, as in requests.
fn plain(path: &str) -> String {
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    let plain = parts.collect::<Vec<_>>().join("/");
    // Absolute paths are outside of the project.
    if path.starts_with('/') {
        format!("/{plain}")
    } else {
        plain
    }
}
