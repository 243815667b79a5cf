//! A plugin or marketplace manifest that cannot be read, or that breaks its format.
//!
//! A manifest is JSON. Its `agents` are paths in the plugin, and a marketplace's sources are paths in the marketplace. A plugin
//! with a broken manifest is not loaded, and paths that lead out of it are ignored.
//!
//! ```json
//! { "name": "tools", "agents": ["../shared/agents"] }
//! ```
//!
//! Fix the JSON, or move the files into the plugin.
//!
//! In a `plugin.json` whose `$schema` is that of Agent Plugins, every field must have the name, the type and the form that the
//! specification requires. Clients reject the plugin otherwise, and load no server if this is so in its `mcp.json`. A file that is named
//! `skills` costs only the skills.
//!
//! ```json
//! { "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "My Tools", "keywords": "review" }
//! ```
//!
//! Write instead:
//!
//! ```json
//! { "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "my-tools", "keywords": ["review"] }
//! ```

crate::diagnostic::rule! {
    name: "invalid-manifest",
    severity: Error,
    fix: None,
    found: between,
    evidence: "Claude Code's plugin reference: manifests are JSON, paths are relative and stay in the plugin; Agent Plugins 1.0.0, sections 4 to 7",
}
