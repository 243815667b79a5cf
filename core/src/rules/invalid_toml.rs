//! A file that is to be TOML and is not.
//!
//! Codex does not load such a file, and says so only at its start.
//!
//! Mend the place that is pointed at. Common causes are text without quotes, and a quotation that is not closed: text of several
//! lines stands between `"""` and `"""`.

crate::diagnostic::rule! {
    name: "invalid-toml",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "OpenAI Codex, agent_roles.rs: such a role is dropped with a warning at startup",
}
