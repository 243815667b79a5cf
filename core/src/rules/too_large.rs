//! A file too large to be read whole.
//!
//! Only the beginning of such a file is read. A prompt of megabytes fits no model.
//!
//! Move reference material into files that the agent reads when it needs them.

crate::diagnostic::rule! {
    name: "too-large",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "the limit is Callsheet's own: no tool states one",
}
