//! Files that extend each other in a cycle, or too deeply.
//!
//! A file inherits from files that are complete without it. A chain of more than eight files is refused: where a field is
//! set would be too hard to find.
//!
//! ```yaml
//! # _a.md
//! callsheet: { extends: _b.md }
//! ```
//!
//! ```yaml
//! # _b.md
//! callsheet: { extends: _a.md }
//! ```
//!
//! Move what both need to a third file.

crate::diagnostic::rule! {
    name: "extends-cycle",
    severity: Error,
    fix: None,
    found: between,
    evidence: "`callsheet build`, docs/compose.md",
}
