//! A field of a plugin's manifest that is ignored.
//!
//! The manifest format has no such field, or its value has the wrong type. The plugin loads without the field: agents that an Agent Plugins
//! manifest lists under `agents` do not load. A Claude Code, Codex or Copilot manifest may have fields of other tools, so unknown fields are
//! only reported if they resemble a known one.
//!
//! ```json
//! {
//!   "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
//!   "name": "tools",
//!   "agents": ["./agents/reviewer.md"]
//! }
//! ```
//!
//! Remove the field. In Agent Plugins, put data for a specific client under `extensions`, with the client's reversed domain name as the key.

crate::diagnostic::rule! {
    name: "ignored-manifest-key",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Agent Plugins 1.0.0, sections 5.2 and 8.1: clients report and ignore unknown fields, and `extensions` of another type; Claude Code's plugin reference (2026-08): unrecognized fields; `core-plugins` of Codex",
}
