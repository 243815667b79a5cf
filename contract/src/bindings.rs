//! Bindings of `wit/`: generated, and documented there.
#![allow(missing_docs, reason = "wit/ documents it")]

#[cfg(all(not(target_family = "wasm"), not(feature = "serde")))]
wasmtime::component::bindgen!({
    path: "wit",
    world: "callsheet",
    additional_derives: [PartialEq],
});

#[cfg(all(not(target_family = "wasm"), feature = "serde"))]
wasmtime::component::bindgen!({
    path: "wit",
    world: "callsheet",
    additional_derives: [PartialEq, serde::Deserialize, serde::Serialize],
});

#[cfg(target_family = "wasm")]
wit_bindgen::generate!({
    inline: "
        package callsheet:contract;
        world uses {
            import callsheet:agents/files@0.1.0;
            import callsheet:agents/documents@0.1.0;
            import callsheet:agents/catalogs@0.1.0;
            import callsheet:agents/projects@0.1.0;
            import callsheet:agents/delegation@0.1.0;
        }
    ",
    path: "wit",
    world: "callsheet:contract/uses",
    additional_derives: [PartialEq],
    generate_all,
    generate_unused_types: true,
});
