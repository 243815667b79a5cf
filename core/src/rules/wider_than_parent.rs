//! A source that grants more than a file it extends.
//!
//! Only `add` may grant what a parent does not. Who reads the parent's limits can rely on them: a list of tools that is replaced by a
//! longer one, a deny list that is replaced by a shorter one, and the last entry removed from a list that means every tool when it is
//! empty are errors.
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
