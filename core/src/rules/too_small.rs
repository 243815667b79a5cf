//! A number below what the tool takes.
//!
//! Write a number in range, or remove the key to get the default.

crate::diagnostic::rule! {
    name: "too-small",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "the dialect's document",
}
