//! A plugin or marketplace manifest that cannot be read.
//!
//! A manifest is JSON. Its `agents` are paths in the plugin, and a marketplace's sources are paths in the marketplace. A plugin
//! with a broken manifest is not loaded, and paths that lead out of it are ignored.
//!
//! ```json
//! { "name": "tools", "agents": ["../shared/agents"] }
//! ```
//!
//! Fix the JSON, or move the files into the plugin.

crate::diagnostic::rule! {
    name: "invalid-manifest",
    severity: Error,
    fix: None,
    found: between,
    evidence: "Claude Code's plugin reference: manifests are JSON, paths are relative and stay in the plugin",
}
