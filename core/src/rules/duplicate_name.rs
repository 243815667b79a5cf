//! Two files in one folder define the same name.
//!
//! Only one of them can be called, and which one depends on the file names.
//!
//! Rename one of them.

crate::diagnostic::rule! {
    name: "duplicate-name",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "which one wins differs between tools and in two of them depends on the file system",
}
