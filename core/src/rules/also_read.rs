//! A file that other tools in use read differently.
//!
//! Several tools read the agents of others. The owner of a file, whose directory it is in, decides what is an error. This note
//! counts what the other tools that are used in the project would report about loading the file.
//!
//! `callsheet check --readers` shows what each tool makes of the file. `targets` in `callsheet.toml`, or `--target`, lists the
//! tools that the files have to work in: their findings then count.

crate::diagnostic::rule! {
    name: "also-read",
    severity: Note,
    fix: None,
    found: between,
    evidence: "the dialects' tables of directories",
}
