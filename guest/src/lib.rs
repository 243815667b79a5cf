//! The component: exports `callsheet-core` through WIT. Conversions only, no decisions.
#![allow(unsafe_code, reason = "generated bindings")]

mod bindings {
    wit_bindgen::generate!({
        path: "../wit",
        world: "callsheet",
        pub_export_macro: false,
        default_bindings_module: "crate::bindings",
        export_macro_name: "export",
        generate_unused_types: true,
    });
}

mod catalogs;
mod conversation;
mod convert;
mod delegation;
mod documents;
mod files;
mod projects;
mod run;
mod sessions;
mod written;

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
