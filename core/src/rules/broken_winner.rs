//! The file that should win does not load, and one of lower precedence wins instead.
//!
//! The name then resolves to a different agent from the intended one, possibly with different permissions.
//!
//! Fix the broken file. With `--fail-closed` the name has no agent until then.

crate::diagnostic::rule! {
    name: "broken-winner",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "every measured loader silently uses the other file",
}
