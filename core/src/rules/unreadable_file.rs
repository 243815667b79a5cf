//! A file that exists but cannot be read.
//!
//! Check its permissions, that it is a file, and that its name is UTF-8.

crate::diagnostic::rule! {
    name: "unreadable-file",
    severity: Error,
    fix: None,
    found: between,
    evidence: "the host could not read it",
}
