//! A link that is broken, circular, or leads out of the readable folders.
//!
//! Replace it with the file, or allow links with `--follow-links`.

crate::diagnostic::rule! {
    name: "unfollowed-link",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Kode 1 stops reading the folder at a broken link; Neovate ignores links",
}
