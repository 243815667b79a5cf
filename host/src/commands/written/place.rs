//! Where new files go.

use callsheet::types::Level;

use crate::commands::context::Context;
use crate::exit::Failure;

/// The directory of a dialect for new agents of the project or of the user: its own, and of those the strongest.
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
        Failure::trouble(format!("{dialect} keeps no agents of {whose}"))
    })
}
