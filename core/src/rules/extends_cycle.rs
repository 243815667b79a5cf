//! Files that extend each other in a cycle, or too deeply.
//!
//! A file can only inherit from files that are complete without it. A chain of more than eight files is refused, because it would be too hard
//! to find where a field is set.
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
