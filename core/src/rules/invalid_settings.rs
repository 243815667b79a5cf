//! A settings file that cannot be read.
//!
//! Claude Code starts without the file: none of its permissions, hooks and servers count. Codex does not start in the project if it is
//! trusted.
//!
//! ```json
//! { "hooks": { "Stop": [], } }
//! ```

crate::diagnostic::rule! {
    name: "invalid-settings",
    severity: Error,
    fix: None,
    found: between,
    evidence: "Claude Code's settings reference (2026-08): a file with invalid JSON is skipped; comments only where the tool accepts them; measured with Codex 0.169.0",
}
