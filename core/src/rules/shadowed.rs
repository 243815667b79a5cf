//! Another definition of the same name takes precedence.
//!
//! Projects override the agents of a user this way; it is reported so that it does not happen unnoticed. `callsheet why NAME` shows
//! every candidate.
//!
//! It is a warning if the other one is a built-in agent that no file replaces, such as `generalist` of Gemini CLI: the file is never used.
//!
//! Gemini CLI calls commands of one name by other names: `workspace.plan` and `user.plan`, and no `plan`.

crate::diagnostic::rule! {
    name: "shadowed",
    severity: Note,
    fix: None,
    found: between,
    evidence: "the dialect's precedence of sources",
}
