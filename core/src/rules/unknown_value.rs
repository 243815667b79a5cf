//! A value that the field does not accept.
//!
//! Fields such as `permissionMode`, `effort` or `color` accept a few values. Another value is ignored, or the agent is dropped.
//!
//! Use one of the values in the message.

crate::diagnostic::rule! {
    name: "unknown-value",
    severity: Warning,
    fix: None,
    found: reading,
    evidence: "the dialect's document",
}
