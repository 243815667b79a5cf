//! The places of new files.

use callsheet::types::Level;

use crate::commands::context::Context;
use crate::exit::Failure;

/// The dialect's directory for new agents of the project or the user: its own one of highest precedence.
pub(in crate::commands) fn directory(
    context: &mut Context,
    dialect: &str,
    level: Level,
) -> Result<String, Failure> {
    context.callsheet.own_directory(dialect, level)?.ok_or_else(|| {
        let whose = if level == Level::User {
            "the user"
        } else {
            "a project"
        };
        Failure::trouble(format!("{dialect} has no agents of {whose}"))
    })
}
