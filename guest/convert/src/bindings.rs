//! The types of the contract: those that the component exports, or natively, for tests, those of its hosts.

#[cfg(not(target_family = "wasm"))]
pub use callsheet_contract::bindings::*;

#[cfg(target_family = "wasm")]
wit_bindgen::generate!({
    path: "../../wit",
    world: "callsheet",
    pub_export_macro: true,
    default_bindings_module: "callsheet_convert::bindings",
    export_macro_name: "export",
    generate_unused_types: true,
});
