//! A path in a plugin or marketplace manifest that does not exist.
//!
//! Claude Code and Copilot cannot install a plugin whose source is missing. Claude Code reports such a path, and loads the rest of the plugin; an
//! entry of its `skills` is the folder that has the `SKILL.md`.
//!
//! ```json
//! { "name": "tools", "skills": ["./skills/review/SKILL.md"] }
//! ```
//!
//! Paths of a manifest are relative to the plugin's folder. Those of a marketplace's entry are, too: its `source` is that folder.

crate::diagnostic::rule! {
    name: "missing-plugin-file",
    severity: Error,
    fix: None,
    found: between,
    evidence: "Claude Code 2.1.216 (`claude doctor`): \"Path not found\", \"path is a file; skills entries must be directories\"; 2.1.332: run; Copilot CLI 1.0.102: \"Plugin source directory not found\"",
}
