//! Bytes that are not UTF-8.
//!
//! Agent files are UTF-8. In another encoding, characters are replaced, the file is not loaded, or, with one loader, the whole folder
//! is lost.
//!
//! Save the file as UTF-8.

crate::diagnostic::rule! {
    name: "invalid-utf8",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "Node loaders replace such bytes, OpenHands and Kode-rs drop the file, Kode-cli-rust drops every agent of the folder",
}
