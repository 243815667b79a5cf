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
    let locations = context.callsheet.locations(dialect)?;
    let there = || locations.iter().filter(|location| location.level == level);
    let best = there()
        .rfind(|location| location.owned)
        .or_else(|| there().next_back());
    best.map(|location| location.directory.clone()).ok_or_else(|| {
        let whose = if level == Level::User {
            "the user"
        } else {
            "a project"
        };
        Failure::trouble(format!("{dialect} keeps no agents of {whose}"))
    })
}
