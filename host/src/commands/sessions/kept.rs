//! The saved sessions.

use std::path::PathBuf;

use callsheet::drive::{NotFound, Sessions};
use callsheet::output::text::clean;

use crate::commands::context::Context;
use crate::exit::Failure;

/// The store of sessions.
pub(in crate::commands) fn store(context: &Context) -> Result<Sessions, Failure> {
    let store = Sessions::of(context.options.home.as_deref());
    store.ok_or_else(|| Failure::trouble("no home directory is known, so no sessions are saved"))
}

/// The file of a session.
pub(in crate::commands) fn find(context: &Context, id: &str) -> Result<PathBuf, Failure> {
    let found = store(context)?.find(id).map_err(unread)?;
    let shown = clean(id);
    found.map_err(|wrong| match wrong {
        NotFound::Unknown => Failure::nothing_found(format!("no session `{shown}`"))
            .help("run `callsheet sessions --all` for the list"),
        NotFound::Ambiguous(count) => Failure::trouble(format!(
            "{count} session IDs start with `{shown}`: use a longer prefix"
        )),
    })
}

pub(in crate::commands) fn unread(error: std::io::Error) -> Failure {
    Failure::trouble(format!("cannot read the saved sessions: {error}"))
}
