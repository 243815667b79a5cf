//! Two files of one folder define the same name.
//!
//! Only one of them can be called, and which one is an accident of the file names.
//!
//! Give one of them another name.

crate::diagnostic::rule! {
    name: "duplicate-name",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "which one wins differs from tool to tool and in two of them depends on the file system",
}
