//! A field of a plugin's manifest that is ignored.
//!
//! The format of the manifest has no such field, or its value has the wrong type. The plugin loads without it: agents that a manifest of
//! Agent Plugins lists under `agents` do not load. A manifest of Claude Code, Codex or Copilot may have fields of other tools, so that unknown ones
//! are only reported if they look like a known one.
//!
//! ```json
//! {
//!   "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
//!   "name": "tools",
//!   "agents": ["./agents/reviewer.md"]
//! }
//! ```
//!
//! Remove the field. In Agent Plugins, put data of a client under `extensions`, by the reversed name of its domain.

crate::diagnostic::rule! {
    name: "ignored-manifest-key",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Agent Plugins 1.0.0, sections 5.2 and 8.1: clients report and ignore unknown fields, and `extensions` of another type; Claude Code's plugin reference (2026-08): unrecognized fields; `core-plugins` of Codex",
}
