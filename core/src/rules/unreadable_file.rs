//! A file that is there, but cannot be read.
//!
//! Check its permissions.

super::rule! {
    name: "unreadable-file",
    severity: Error,
    fix: None,
    evidence: "the host could not read it",
}
