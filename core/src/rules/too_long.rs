//! A value longer than the tool accepts.
//!
//! Shorten it. Details belong in the body.

crate::diagnostic::rule! {
    name: "too-long",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "the dialect's document: Claude Code accepts names of 256 characters, Neovate descriptions of 1,024",
}
