//! A key that stands twice.
//!
//! Half of the readers refuse the file, the others take the last value, and nobody says so. Of two spellings of one key, such as
//! `allowedTools` and `tools`, only one counts.
//!
//! Remove one of the two.

crate::diagnostic::rule! {
    name: "duplicate-key",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "js-yaml and serde_yaml refuse the file, PyYAML and yaml.v2 let the last one count",
}
