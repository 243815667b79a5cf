//! Another definition of the same name takes precedence.
//!
//! Projects override a user's agents this way. It is reported so that this does not go unnoticed. `callsheet why NAME` shows every candidate.
//!
//! It is a warning if the other definition is a built-in agent that no file can replace, such as Gemini CLI's `generalist`: the file is never
//! used.
//!
//! In Claude Code, a skill wins over every command of its name.
//!
//! Gemini CLI renames commands that have the same name: there are `workspace.plan` and `user.plan`, but no `plan`.

crate::diagnostic::rule! {
    name: "shadowed",
    severity: Note,
    fix: None,
    found: between,
    evidence: "the dialect's precedence of sources",
}
