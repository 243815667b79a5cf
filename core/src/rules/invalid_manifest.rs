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
//! Most fields have a type: Claude Code does not load a plugin whose `keywords` are a string, whose `author` is not an object, or whose `name`
//! has a space, whose `agents` are a folder, or whose `dependencies` are not names of plugins, and no marketplace without an `owner`. Codex
//! ignores paths that do not begin with `./`, and loads no manifest with a field that it knows twice.
//!
//! Codex 0.169.0 loads no marketplace with one wrong entry, or with a name that has other characters than letters, digits, `_` and `-`. It skips a plugin
//! whose `source` it does not understand.
//!
//! If an entry of a marketplace has `strict: false` and lists components, it is the plugin's only manifest: Claude Code does not load a
//! plugin that has one of its own, too.
//!
//! Copilot loads no marketplace with one wrong field, or with two plugins of one name; Claude Code installs the first of them. Names such as
//! `agent-skills` are reserved: Claude Code only loads these marketplaces from Anthropic's repositories.
//!
//! Claude Code 2.1.332 adds no marketplace whose name has other characters than letters, digits, `.`, `_` and `-`, and installs no plugin of such
//! a name. A `source` in the marketplace must be `.` or begin with `./`, and have no `..`, or name a folder below `metadata.pluginRoot`.
//!
//! If a name is in one object twice, most readers only take the last value: a warning.
//!
//! `renames` of a marketplace maps earlier names of plugins to new ones, or to `null`. Each must lead to a plugin of the list, through at most 15
//! others: Claude Code does not find the plugin for people who installed it by an earlier name otherwise.
//!
//! In a `plugin.json` whose `$schema` is that of Agent Plugins, every field must have the name, the type and the form that the
//! specification requires. Otherwise clients reject the plugin, or load none of its servers if the error is in `mcp.json`. If `skills` is a
//! file instead of a folder, only the skills are lost.
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
