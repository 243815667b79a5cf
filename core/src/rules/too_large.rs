//! A file too large to be read whole.
//!
//! Of a file this size only the beginning is read. A prompt of megabytes fits no model.
//!
//! Move what is reference material into files that the agent reads when it needs them.

crate::diagnostic::rule! {
    name: "too-large",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "the limit is Callsheet's own: no tool states one",
}
