//! Rust bindings of `wit/`: generated, and documented there.
#![allow(missing_docs, reason = "wit/ documents it")]

wasmtime::component::bindgen!({
    path: "wit",
    world: "callsheet",
    additional_derives: [PartialEq],
});
