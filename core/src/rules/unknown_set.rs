//! A set of tools that callsheet.toml does not define.
//!
//! `@name` in `add` and `remove` stands for the tools of a set.
//!
//! ```yaml
//! callsheet:
//!   extends: _base.md
//!   add: { tools: ["@readonly"] }
//! ```
//!
//! ```toml
//! [build.sets]
//! read-only = ["Read", "Grep", "Glob"]
//! ```
//!
//! Correct the name, or define the set.

crate::diagnostic::rule! {
    name: "unknown-set",
    severity: Error,
    fix: None,
    found: between,
    evidence: "`callsheet build`, docs/compose.md",
}
