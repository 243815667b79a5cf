//! A hook or an MCP server that runs a script that does not exist.
//!
//! Such a hook fails each time and blocks nothing, and such a server does not start. Only commands that run a single script in the project or
//! the plugin are checked. Commands with conditions, pipes, interpreter options, other variables or build results are not.
//!
//! ```json
//! { "type": "command", "command": "\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/chekc.sh" }
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use crate::cast::Cast;
use crate::diagnostic::{Diagnostic, Finding};
use crate::files::Surroundings;
use crate::scripts::{Script, place};

crate::diagnostic::rule! {
    name: "missing-script",
    severity: Warning,
    fix: None,
    found: between,
    evidence: "Claude Code's hooks reference (2026-08): a command that fails is a non-blocking error; the shell's exit status is 127",
}

/// The finding about a script that does not exist.
pub(crate) fn finding(script: &Script<'_>) -> Finding {
    let path = &script.path;
    match script.server {
        Some(server) => {
            let name = server.as_text().unwrap_or_default();
            let message = format!("MCP server `{name}` runs `{path}`, which does not exist");
            Finding::new(&RULE, server.span, message).label("the server does not start")
        }
        None => {
            let message = format!("hook runs `{path}`, which does not exist");
            Finding::new(&RULE, script.at, message).label("the hook fails")
        }
    }
}

/// The findings about scripts that the hooks of files run.
pub(crate) fn between(cast: &Cast<'_>, around: &mut dyn Surroundings, found: &mut Vec<Diagnostic>) {
    for member in &cast.members {
        for script in &member.mentions.scripts {
            if let Some((_, false)) = place(cast.dialect, member.path, &script.name, around) {
                let message = format!("hook runs `{}`, which does not exist", script.name);
                let diagnostic = member.diagnostic(&RULE, script.at, message);
                found.extend(diagnostic.map(|mut diagnostic| {
                    diagnostic.primary.text = "the hook fails".to_owned();
                    diagnostic
                }));
            }
        }
    }
}
