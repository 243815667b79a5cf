//! Bytes that are not UTF-8.
//!
//! Agent files are UTF-8. A file in another encoding is read with other characters in their place, or not at all, and one loader
//! even gives up the whole folder.
//!
//! Save the file as UTF-8.

crate::diagnostic::rule! {
    name: "invalid-utf8",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "Node loaders replace such bytes, OpenHands and Kode-rs drop the file, Kode-cli-rust drops every agent of the folder",
}
