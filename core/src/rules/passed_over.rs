//! Markdown in a folder called `agents` that no tool reads.
//!
//! Name the folder on the command line to have it checked, or move the files to where the tool looks; `callsheet dialects` lists the
//! places.

crate::diagnostic::rule! {
    name: "passed-over",
    severity: Note,
    fix: None,
    found: between,
    evidence: "no known tool looks there",
}
