//! A number below the tool's minimum.
//!
//! Use a number in range, or remove the field to get the default.

super::rule! {
    name: "too-small",
    severity: Warning,
    fix: None,
    evidence: "the dialect's document",
}
