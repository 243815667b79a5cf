//! A file that other tools in use read differently.
//!
//! Several tools read the agents of others. The tool that owns the directory decides what is an error. This note counts what the
//! other tools in use in the project would report about loading the file.
//!
//! `callsheet check --readers` shows how each tool reads the file. `targets` in `callsheet.toml`, or `--target`, lists the tools that
//! the files must work in: their findings then count.

crate::diagnostic::rule! {
    name: "also-read",
    severity: Note,
    fix: None,
    found: between,
    evidence: "the dialects' tables of directories",
}
