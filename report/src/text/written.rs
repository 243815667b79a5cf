//! What was written, and its effect.

use callsheet_contract::catalogs::Entry;
use callsheet_contract::catalogs::Standing;

use super::{clean, noun};
use crate::report::{Now, Written};

/// What was done, a line for each file.
pub fn done(written: &Written) -> String {
    let also = written
        .also
        .iter()
        .map(|path| format!("changed {}\n", clean(path)));
    [first(written)].into_iter().chain(also).collect()
}

fn first(written: &Written) -> String {
    let path = clean(written.path.as_deref().unwrap_or_default());
    let from = clean(written.from.as_deref().unwrap_or_default());
    match (written.changed, written.command) {
        (false, _) => format!("{path} is unchanged\n"),
        (_, "new" | "init") => format!("wrote {path}\n"),
        (_, "copy") => format!("copied {from} to {path}\n"),
        (_, "rename") if path == from => format!("changed {path}\n"),
        (_, "rename") => format!("renamed {from} to {path}\n"),
        (_, "rm") => format!("removed {from}\n"),
        _ => format!("changed {path}\n"),
    }
}

/// What the names resolve to now, a line for each dialect.
pub fn now(written: &Written) -> String {
    written
        .now
        .iter()
        .map(|now| format!("{}: {}\n", now.dialect, state(now, written)))
        .collect()
}

fn state(now: &Now, written: &Written) -> String {
    let name = clean(&now.name);
    let of_file = |entry: &&Entry| entry.origin.path.is_some() && entry.origin.path == written.path;
    let broken = now
        .others
        .iter()
        .find(of_file)
        .filter(|entry| entry.standing != Standing::Shadowed);
    let winner = match (&now.winner, broken) {
        (_, Some(entry)) => {
            return format!(
                "`{name}` in {} cannot be called: {}",
                place(entry),
                clean(&entry.reason)
            );
        }
        (None, None) => return format!("no active {} `{name}`", noun(now.kind)),
        (Some(winner), None) => winner,
    };
    let hides: Vec<String> = now
        .others
        .iter()
        .filter(|it| it.standing == Standing::Shadowed)
        .map(place)
        .collect();
    if now.others.iter().any(|entry| of_file(&entry)) {
        return format!(
            "`{name}` still resolves to {}, which wins over this file",
            place(winner)
        );
    }
    match hides.as_slice() {
        [] => format!("`{name}` resolves to {}", place(winner)),
        [hidden] => format!("`{name}` now resolves to {}; {hidden} is shadowed", place(winner)),
        [first @ .., last] => format!(
            "`{name}` now resolves to {}; {} and {last} are shadowed",
            place(winner),
            first.join(", ")
        ),
    }
}

/// Where a definition is.
fn place(entry: &Entry) -> String {
    match &entry.origin.path {
        Some(path) => clean(path),
        None => match &*entry.origin.source {
            "built-in" => "the built-in one".to_owned(),
            source => clean(source),
        },
    }
}
