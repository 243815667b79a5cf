//! The component: exports `callsheet-core` through WIT. Conversions only, no decisions.
#![cfg(target_family = "wasm")]
#![allow(unsafe_code, reason = "generated bindings")]

mod catalogs;
mod delegation;
mod documents;
mod files;
mod projects;
mod run;

use callsheet_convert::{self as convert, bindings, conversation, sessions, written};
use callsheet_core::dialect::Dialects;
use callsheet_core::reader::Readers;

/// What implements the component's exports.
struct Component;

bindings::export!(Component);

thread_local! {
    /// Decoded once: a component has one thread.
    static DIALECTS: Dialects = Dialects::embedded();
    static READERS: Readers = Readers::embedded();
}

fn dialects() -> Dialects {
    DIALECTS.with(Dialects::clone)
}

fn readers() -> Readers {
    READERS.with(Readers::clone)
}
