//! A file that is not valid TOML.
//!
//! Codex does not load such a file, and reports it only at startup. Gemini CLI drops such a command, and its parser does not know the escapes
//! of TOML 1.1: write `\u001B` instead of `\e` and `\x1B`.
//!
//! Fix the reported line. Common causes are unquoted text and unclosed quotes: multi-line text goes between `"""` and `"""`.

crate::diagnostic::rule! {
    name: "invalid-toml",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "OpenAI Codex, agent_roles.rs: such a role is dropped with a warning at startup; the escapes measured with @iarna/toml, which Gemini CLI 0.61.0 uses",
}
