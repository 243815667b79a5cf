//! Markdown in an `agents` folder that no tool reads.
//!
//! Name the folder on the command line to check it, or move the files to a folder that a tool reads; `callsheet dialects` lists those.

crate::diagnostic::rule! {
    name: "passed-over",
    severity: Note,
    fix: None,
    found: between,
    evidence: "no known tool reads that folder",
}
