//! A multi-line value where one line is required.
//!
//! Write it on one line, or as a folded block without a final line break:
//!
//! ```yaml
//! description: >-
//!   Reviews changes.
//!   Use after each commit.
//! ```

crate::diagnostic::rule! {
    name: "several-lines",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "Neovate 0.27.1 drops the file",
}
