//! A settings file that cannot be read, or has a field of the wrong type.
//!
//! Claude Code and Qwen Code start without the file: none of its permissions, hooks and servers count. Codex does not start in the project
//! if it is trusted, and Gemini CLI does not start at all. Both Gemini CLI and Qwen Code skip comments, but accept no comma before the end.
//!
//! ```json
//! { "hooks": { "Stop": [], } }
//! ```
//!
//! Claude Code also ignores the file if a field that it knows has the wrong type or an unknown text, such as a `matcher` that is an object: a
//! list of denied calls then denies nothing.
//!
//! ```json
//! { "permissions": { "deny": "Read(.env)" } }
//! ```
//!
//! Without an object `mcpServers`, it configures none of the servers in `.mcp.json`. The `.mcp.json` of a plugin needs no such key.
//!
//! It skips a permission rule that it cannot read, such as `Bash(curl`, `read` or `WebFetch(https://example.org)`, and the others count. What such a
//! rule was meant to deny is not denied.
//!
//! If a name is in one object twice, most readers only take the last value: a warning.
//!
//! Codex and OpenCode do not start if one field of their settings has the wrong type or an unknown text, such as a server that was copied
//! from another tool. Names of other tools that Codex ignores, such as `headers` of a server, are a warning.
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
