//! A name that is not in lowercase with hyphens.
//!
//! Most tools accept other names but recommend this form, and some commands and file names depend on it.
//!
//! ```yaml
//! name: code-reviewer
//! ```

crate::diagnostic::rule! {
    name: "name-form",
    severity: Note,
    fix: None,
    found: reading,
    evidence: "Claude Code, Kode and Neovate document lowercase with hyphens",
}
