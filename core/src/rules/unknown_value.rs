//! A word that the key does not know.
//!
//! Keys such as `permissionMode`, `effort` or `color` take one of a few words. Another one is ignored, or costs the agent.
//!
//! Write one of the words that the message lists.

crate::diagnostic::rule! {
    name: "unknown-value",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "the dialect's document",
}
