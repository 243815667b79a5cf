//! A parent or an included file that cannot be read.
//!
//! Paths in `extends` and `include` are relative to the folder of the file, and must lead to files in the project.
//!
//! ```yaml
//! callsheet:
//!   extends: ../base.md
//! ```
//!
//! Correct the path, or move the file into the project: all parts of an agent must be in the repository.

crate::diagnostic::rule! {
    name: "missing-parent",
    severity: Error,
    fix: None,
    found: between,
    evidence: "`callsheet build`, docs/compose.md",
}
