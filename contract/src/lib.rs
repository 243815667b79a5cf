//! The Rust types of the contract in `wit/`.
//!
//! A native host drives the component with wasmtime; on WebAssembly, a component imports what the component exports. The types have the
//! same names and fields in both, so that code which only reads and writes them compiles for either.

pub mod bindings;

pub use bindings::callsheet::agents::conversation;
#[cfg(target_family = "wasm")]
pub use bindings::callsheet::agents::{catalogs, delegation, documents, projects, types};
#[cfg(not(target_family = "wasm"))]
pub use bindings::exports::callsheet::agents::{catalogs, delegation, documents, projects, types};
