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
//! Most fields have a fixed type. Claude Code does not load a plugin whose `keywords` is a string, whose `author` is not an object, whose `name`
//! contains a space, whose `agents` is a folder, or whose `dependencies` are not names of plugins. It does not load a marketplace without an
//! `owner` either. Codex ignores paths that do not begin with `./`, and rejects a manifest that sets a known field twice.
//!
//! Codex 0.169.0 rejects a whole marketplace if one entry is wrong, or if the marketplace's name contains characters other than letters, digits,
//! `_` and `-`. It skips a plugin whose `source` it does not understand.
//!
//! If a marketplace entry has `strict: false` and lists components, the entry is the plugin's only manifest: Claude Code does not load the
//! plugin if it also has a manifest of its own.
//!
//! Copilot rejects a whole marketplace if one field is wrong, or if two plugins have the same name; Claude Code installs the first of them.
//! Names such as `agent-skills` are reserved: Claude Code only loads marketplaces with these names from Anthropic's repositories.
//!
//! Claude Code 2.1.332 does not add a marketplace whose name contains characters other than letters, digits, `.`, `_` and `-`, and does not
//! install a plugin with such a name. A `source` in the marketplace must be `.`, a path that begins with `./` and has no `..`, or the name of a
//! folder below `metadata.pluginRoot`.
//!
//! If an object has the same name twice, most readers only use the last value. This is a warning.
//!
//! The `renames` field of a marketplace maps earlier names of plugins to new ones, or to `null`. Each new name must lead to a plugin in the
//! list, through at most 15 other names. Otherwise Claude Code does not find the plugin for people who installed it under an earlier name.
//!
//! In a `plugin.json` with the Agent Plugins `$schema`, every field must have the name, type and form that the specification requires. Otherwise
//! clients reject the plugin, or load none of its servers if the error is in `mcp.json`. If `skills` is a file instead of a folder, only the
//! skills are lost.
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
    evidence: "Claude Code's plugin and marketplace references (2026-08): a field of another type is a load error; Claude Code 2.1.332, Codex 0.169.0 and Copilot CLI 1.0.102: what `plugin marketplace add`, `plugin validate` and `plugin install` refuse; `core-plugins` of Codex; Cursor's schemas; Agent Plugins 1.0.0, sections 4 to 7",
}
