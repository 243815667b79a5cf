//! A `callsheet` key with an invalid value.
//!
//! In a source, the value of `callsheet` has at most four keys: `extends` and `include` name files, and `add` and `remove` map a field to
//! entries of its list. Only lists can be changed, and only lists that the file inherits.
//!
//! ```yaml
//! callsheet:
//!   extends: _base.md
//!   add:
//!     model: opus
//! ```
//!
//! A field that the file sets itself replaces the inherited one, so set `model` outside of `callsheet`. An agent that may use every tool
//! has no list to remove from: deny the tool instead.

crate::diagnostic::rule! {
    name: "invalid-composition",
    severity: Error,
    fix: None,
    found: between,
    evidence: "`callsheet build`, docs/compose.md",
}
