//! `stats`: what the agents of saved sessions did and used.

use std::time::{Duration, SystemTime};

use callsheet::output::saved::{self, SavedSession, Stats};

use super::context::Context;
use super::{sessions, work};
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, all: bool, since: Option<Duration>) -> Result<Exit, Failure> {
    let project = work::lend::project(context)?;
    let kept = sessions::all(context)?;
    let now = SystemTime::now();
    let is_wanted = |it: &SavedSession| {
        // A clock that was set back makes no session too old.
        let age = now.duration_since(it.updated).unwrap_or_default();
        let about = it.about.as_ref().filter(|about| all || about.project == project);
        about.is_some() && since.is_none_or(|since| age <= since)
    };
    let stats = Stats::of(kept.iter().filter(|it| is_wanted(it)));
    if context.format() == Format::Json {
        context.print(&saved::stats_document(&stats))?;
        return Ok(Exit::Clean);
    }
    context.print(&saved::stats_table(&context.look, &stats))?;
    context.remark(&match stats.sessions {
        0 if all => "no sessions are saved".to_owned(),
        0 => "no sessions of this directory are saved; `--all` includes those of others".to_owned(),
        1 => "1 session".to_owned(),
        sessions => format!("{sessions} sessions"),
    });
    if stats.older > 0 {
        context.remark(&format!(
            "note: sessions of earlier versions, without calls, failures, denials and time: {}",
            stats.older
        ));
    }
    Ok(Exit::Clean)
}
