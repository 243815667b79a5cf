//! Bindings for importing the component.
#![allow(missing_docs, reason = "the contract documents them")]

wit_bindgen::generate!({
    inline: "
        package callsheet:answers;
        world asks {
            import callsheet:agents/files@0.1.0;
            import callsheet:agents/documents@0.1.0;
            import callsheet:agents/catalogs@0.1.0;
            import callsheet:agents/projects@0.1.0;
            import callsheet:agents/delegation@0.1.0;
        }
    ",
    path: "../../../wit",
    world: "callsheet:answers/asks",
    additional_derives: [PartialEq],
    generate_all,
    generate_unused_types: true,
});

/// Exports of the component, which are imports here.
pub mod exports {
    pub use super::callsheet;
}
