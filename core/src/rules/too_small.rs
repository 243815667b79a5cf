//! A number below the tool's minimum.
//!
//! Use a number in range, or remove the field to get the default.

crate::diagnostic::rule! {
    name: "too-small",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "the dialect's document",
}
