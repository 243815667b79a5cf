//! A source that grants more than a file it extends.
//!
//! Only `add` may grant what a parent does not. Everyone who reads the parent can rely on its limits. These are errors: a list
//! of tools replaced by a longer one, a deny list replaced by a shorter one, and the last entry removed from a list that means every tool
//! when it is empty.
//!
//! ```yaml
//! # _base.md
//! tools: Read, Grep
//! ```
//!
//! ```yaml
//! tools: Read, Grep, Bash
//! callsheet: { extends: _base.md }
//! ```
//!
//! Say what is added:
//!
//! ```yaml
//! callsheet:
//!   extends: _base.md
//!   add: { tools: [Bash] }
//! ```

crate::diagnostic::rule! {
    name: "wider-than-parent",
    severity: Error,
    fix: None,
    found: between,
    evidence: "`callsheet build`, docs/compose.md; permissions as in a conversion",
}
