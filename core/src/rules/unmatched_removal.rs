//! An entry of `remove` that is not in the inherited list.
//!
//! The parent may have changed, or the entry is spelled differently there: `Bash` does not remove `Bash(git *)`.
//!
//! ```yaml
//! callsheet:
//!   extends: _base.md # tools: Read, Bash(git *)
//!   remove: { tools: [Bash] }
//! ```
//!
//! Write the entry as the parent does, or delete it.

crate::diagnostic::rule! {
    name: "unmatched-removal",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "`callsheet build`, docs/compose.md",
}
