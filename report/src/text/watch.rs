//! Changes of agents while their files change.

use callsheet_contract::catalogs::{Change, ChangeKind};

use super::cell::clean;
use super::check::plural;
use super::entry::whereabouts;
use super::look::Look;
use crate::words;

/// The followed dialects, on one line.
pub fn watching(look: &Look, agents: &[(String, usize)]) -> String {
    let one = |(dialect, agents): &(String, usize)| format!("{} ({})", dialect, plural(*agents, "agent"));
    let followed = match agents {
        [] => "for the first agents: no known tool has any here yet".to_owned(),
        some => some.iter().map(one).collect::<Vec<_>>().join(", "),
    };
    look.faint(format!("watching {followed}; Ctrl-C ends it")) + "\n"
}

/// A line for each name.
pub fn changes(look: &Look, dialect: &str, changes: &[Change]) -> String {
    changes.iter().map(|change| line(look, dialect, change)).collect()
}

fn line(look: &Look, dialect: &str, change: &Change) -> String {
    let word = match change.kind {
        ChangeKind::Fixed => "fixed".to_owned(),
        kind => words::change(kind).replace('-', " "),
    };
    let word = match change.kind {
        ChangeKind::Broke | ChangeKind::Vanished => look.bad(word),
        ChangeKind::NowWins => look.doubtful(word),
        _ => look.good(word),
    };
    let place = whereabouts(&change.origin);
    format!("{dialect}: `{}` {word}: {place}\n", clean(&change.name))
}
