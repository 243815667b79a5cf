//! A file that would be in force does not load, and a weaker one takes its place.
//!
//! The name then calls another agent than the one that was written for it, with other rights perhaps.
//!
//! Mend the broken file. With `--fail-closed` the name has no agent until then.

crate::diagnostic::rule! {
    name: "broken-winner",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "every measured loader lets the weaker file through without a word",
}
