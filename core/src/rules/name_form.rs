//! A name that is not in lower case with hyphens.
//!
//! Most tools take other names, but advise this form, and some commands and file names depend on it.
//!
//! ```yaml
//! name: code-reviewer
//! ```

crate::diagnostic::rule! {
    name: "name-form",
    severity: Note,
    fix: None,
    found: reading,
    evidence: "Claude Code, Kode and Neovate document lower case and hyphens",
}
