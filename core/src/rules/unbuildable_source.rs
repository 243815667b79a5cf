//! A source that cannot be compiled.
//!
//! The result has to load in its own dialect and in every target, and each result needs a file of its own. A target that cannot express
//! a limit refuses the source: see [Sharing parts](compose.md).
//!
//! ```yaml
//! ---
//! description: Reviews changes.
//! callsheet: { extends: _base.md }
//! ---
//! ```
//!
//! Claude Code needs a `name`, which is never inherited. Fix what the message names, or remove the target from `to` in callsheet.toml.

crate::diagnostic::rule! {
    name: "unbuildable-source",
    severity: Error,
    fix: None,
    found: between,
    evidence: "`callsheet build`, docs/compose.md",
}
