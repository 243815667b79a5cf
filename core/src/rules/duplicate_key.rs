//! A field that is set twice.
//!
//! Half of the readers refuse the file, the others silently take the last value. Of two spellings of one field, such as
//! `allowedTools` and `tools`, only one counts.
//!
//! Remove one of the two.

crate::diagnostic::rule! {
    name: "duplicate-key",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "js-yaml and serde_yaml refuse the file, PyYAML and yaml.v2 take the last one",
}
