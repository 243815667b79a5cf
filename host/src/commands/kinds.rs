//! Names of skills and commands: `skill:NAME`, `command:NAME`, or the name alone if no agent has it.

use callsheet::types::Kind;

use super::context::Context;
use crate::exit::Failure;

/// The name without its prefix, which decides what the command is about.
pub(super) fn named<'n>(context: &mut Context, name: &'n str) -> &'n str {
    let prefixes = [
        ("agent:", Kind::Agent),
        ("skill:", Kind::Skill),
        ("command:", Kind::Command),
    ];
    for (prefix, kind) in prefixes {
        if let Some(rest) = name.strip_prefix(prefix) {
            context.kind = kind;
            return rest;
        }
    }
    name
}

/// Whether something other than an agent has this name. The command is about that from now on.
pub(super) fn is_other(context: &mut Context, name: &str) -> Result<bool, Failure> {
    if context.kind != Kind::Agent {
        return Ok(false);
    }
    for kind in [Kind::Skill, Kind::Command] {
        context.kind = kind;
        let known = context.callsheet.dialects_for(kind)?;
        let mut dialects = context.dialects()?;
        // Not every tool has both.
        dialects.retain(|id| known.iter().any(|dialect| dialect.id == *id));
        for dialect in dialects {
            if !context.open(&dialect)?.explain(name)?.candidates.is_empty() {
                return Ok(true);
            }
        }
    }
    context.kind = Kind::Agent;
    Ok(false)
}
