//! Implements the component's `files` with the directories that a WASI host opened.
//!
//! A path belongs to the directory with the longest name that is a prefix of it, as in the native host. The WASI host resolves
//! links, and lets none lead out of a directory that it opened.
#![allow(unsafe_code, reason = "generated bindings")]

mod bindings {
    #![allow(missing_docs, reason = "the contract documents them")]
    wit_bindgen::generate!({
        inline: "
            package callsheet:wasi;
            world adapter {
                export callsheet:agents/conversation@0.1.0;
                export callsheet:agents/files@0.1.0;
                export callsheet:agents/model@0.1.0;
                export callsheet:agents/tools@0.1.0;
            }
        ",
        path: "../../../wit",
        world: "callsheet:wasi/adapter",
        default_bindings_module: "crate::bindings",
    });
}

mod denied;
mod listing;
mod places;
mod reading;

use wasip2::filesystem::types::ErrorCode;

use self::bindings::exports::callsheet::agents::files::{Entry, FileError, Guest};

struct Adapter;

bindings::export!(Adapter with_types_in bindings);

impl Guest for Adapter {
    fn list_directory(path: String) -> Result<Vec<Entry>, FileError> {
        places::at(&path, listing::entries)
    }

    fn read(path: String) -> Result<Vec<u8>, FileError> {
        places::at(&path, reading::contents)
    }
}

impl From<ErrorCode> for FileError {
    fn from(code: ErrorCode) -> Self {
        match code {
            ErrorCode::NoEntry => Self::NotFound,
            ErrorCode::Access | ErrorCode::NotPermitted => Self::Denied,
            ErrorCode::NotDirectory => Self::NotADirectory,
            other => Self::Other(other.message().to_owned()),
        }
    }
}
