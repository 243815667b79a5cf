//! A settings file that cannot be read, or has a field of the wrong type.
//!
//! Claude Code and Qwen Code start without the file: none of its permissions, hooks and servers apply. Codex does not start in a trusted
//! project, and Gemini CLI does not start at all. Gemini CLI and Qwen Code both skip comments, but do not accept trailing commas.
//!
//! ```json
//! { "hooks": { "Stop": [], } }
//! ```
//!
//! Claude Code also ignores the whole file if a field that it knows has the wrong type or an unknown value, such as a `matcher` that is an
//! object: a deny list then denies nothing.
//!
//! ```json
//! { "permissions": { "deny": "Read(.env)" } }
//! ```
//!
//! If `.mcp.json` has no `mcpServers` object, Claude Code configures none of its servers. The `.mcp.json` of a plugin does not need this key.
//!
//! Claude Code skips a permission rule that it cannot read, such as `Bash(curl`, `read` or `WebFetch(https://example.org)`, and applies the
//! others. What such a rule was meant to deny is not denied.
//!
//! If an object has the same name twice, most readers only use the last value. This is a warning.
//!
//! Codex and OpenCode do not start if one field of their settings has the wrong type or an unknown value, such as a server that was copied
//! from another tool. Fields of other tools that Codex ignores, such as `headers` of a server, are a warning.
//!
//! Codex ignores all hooks in `.codex/hooks.json` if one has a field of the wrong type or an unknown `type`, or if the file has a top-level field
//! other than `description` and `hooks`. In `.codex/config.toml`, such a hook keeps Codex from starting.
//!
//! ```json
//! { "mcp": { "docs": { "command": "npx", "args": ["-y", "docs"] } } }
//! ```
//!
//! Write instead:
//!
//! ```json
//! { "mcp": { "docs": { "type": "local", "command": ["npx", "-y", "docs"] } } }
//! ```
//!
//! Values with `{env:NAME}` or `{file:PATH}`, and settings with keys of OpenCode 2, are not checked.

crate::diagnostic::rule! {
    name: "invalid-settings",
    severity: Error,
    fix: None,
    found: between,
    evidence: "Claude Code's settings reference (2026-08): a file with invalid JSON is skipped; comments only where the tool accepts them; measured with Claude Code 2.1.332, Codex 0.169.0, Gemini CLI 0.61.0, OpenCode 1.18.33 and Qwen Code 0.24.4",
}
