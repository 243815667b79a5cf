//! A value longer than the tool takes.
//!
//! Shorten it. What the agent has to know belongs into the body.

crate::diagnostic::rule! {
    name: "too-long",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "the dialect's document: Claude Code takes names of 256 characters, Neovate descriptions of 1,024",
}
