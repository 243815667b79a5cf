//! A file that exists but cannot be read.
//!
//! Check its permissions, that it is a file, and that its name is UTF-8.

super::rule! {
    name: "unreadable-file",
    severity: Error,
    fix: None,
    evidence: "the host could not read it",
}
