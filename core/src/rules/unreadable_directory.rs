//! A folder that exists but cannot be listed.
//!
//! Check its permissions, and that it is a folder.

crate::diagnostic::rule! {
    name: "unreadable-directory",
    severity: Error,
    fix: None,
    found: between,
    evidence: "the host could not list it; Kode-cli-rust then loads nothing at all",
}
