//! Another definition of the same name goes before this one.
//!
//! That is how projects override what a user has, and is reported so that it does not happen unnoticed. `callsheet why NAME` shows every
//! candidate.

crate::diagnostic::rule! {
    name: "shadowed",
    severity: Note,
    fix: None,
    found: between,
    evidence: "the dialect's order of sources",
}
