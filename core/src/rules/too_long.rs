//! A value longer than the tool accepts.
//!
//! Shorten it. Details belong in the body.

super::rule! {
    name: "too-long",
    severity: Warning,
    fix: None,
    evidence: "the dialect's document: Claude Code accepts names of 256 characters, Neovate descriptions of 1,024",
}
