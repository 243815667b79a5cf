//! A link that leads nowhere, back up, or out of the places that may be read.
//!
//! Put the file itself there, or allow links to be followed with `--follow-links`.

crate::diagnostic::rule! {
    name: "unfollowed-link",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Kode 1 stops reading the folder at a link that leads nowhere; Neovate ignores links",
}
