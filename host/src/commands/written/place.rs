//! The places of new files.

use callsheet::output::text;
use callsheet::types::Level;

use crate::commands::context::Context;
use crate::exit::Failure;

/// The dialect's directory for new files of the project or the user: its own one of highest precedence.
pub(in crate::commands) fn directory(
    context: &mut Context,
    dialect: &str,
    level: Level,
) -> Result<String, Failure> {
    let kind = context.kind;
    let directory = match level {
        Level::Project => {
            let root = context.root()?;
            context.callsheet.directory_below(root, dialect, kind)?
        }
        _ => context.callsheet.own_directory_for(dialect, kind, level)?,
    };
    directory.ok_or_else(|| {
        let whose = if level == Level::User {
            "the user"
        } else {
            "a project"
        };
        Failure::trouble(format!("{dialect} has no {}s of {whose}", text::noun(kind)))
    })
}
