//! The agents of a dialect.

use callsheet_contract::catalogs::{Entry, Presence, Standing};
use callsheet_contract::types::Kind;

use super::cell::{clean, wrap};
use super::check::plural;
use super::entry::{active, noun, standings};
use super::look::Look;
use crate::report::{Listing, Lookout};

/// The most broken files in a list: a folder of notes must not fill the screen.
const BROKEN_SHOWN: usize = 10;

/// The agents of one dialect; with `all`, inactive ones too.
pub fn list(look: &Look, listing: &Listing, all: bool) -> String {
    let mut out = heading(look, listing);
    let called = |entry: &&Entry| entry.standing == Standing::Active;
    let (called, other): (Vec<&Entry>, Vec<&Entry>) = listing.entries.iter().partition(called);
    if !called.is_empty() {
        out.push_str(&active(look, &called));
    }
    if all {
        out.push_str(&section(look, "Not active:", &other));
    } else {
        out.push_str(&broken(look, listing, other));
    }
    out
}

/// Broken definitions are always listed, but only a few of them.
fn broken(look: &Look, listing: &Listing, mut entries: Vec<&Entry>) -> String {
    entries.retain(|entry| entry.standing == Standing::Broken);
    let shown = &entries[..entries.len().min(BROKEN_SHOWN)];
    // Of other tools' files, a check reports what their owners do.
    let is_own = |entry: &&Entry| {
        let mut places = listing.visited.iter().map(|visited| &visited.location);
        places.any(|place| place.owned && place.directory == entry.origin.source)
    };
    let target = if shown.iter().all(is_own) {
        String::new()
    } else {
        format!(" --target {}", listing.dialect)
    };
    let mut out = section(
        look,
        &format!("Broken (`callsheet check{target}` shows why):"),
        shown,
    );
    if shown.len() < entries.len() {
        let more = format!("… {} more: `--all` lists them", entries.len() - shown.len());
        out.push_str(&format!("  {}\n", look.faint(more)));
    }
    out
}

fn section(look: &Look, title: &str, entries: &[&Entry]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    format!("\n  {}\n{}", look.doubtful(title), standings(look, entries))
}

/// The output of `list` without any dialect in use.
pub fn looked_for(look: &Look, kind: Kind, lookouts: &[Lookout]) -> String {
    let noun = noun(kind);
    let mut out = match kind {
        Kind::Agent => "No agents here: no folder of a known tool was found.\n\n".to_owned(),
        _ => format!("No {noun}s here.\n\n"),
    };
    out.push_str(&look.heading("Searched:\n"));
    for lookout in lookouts.iter().filter(|lookout| !lookout.locations.is_empty()) {
        out.push_str(&format!("  {}\n", lookout.dialect));
        let mut directories: Vec<String> = Vec::new();
        for location in lookout.locations.iter().rev() {
            let directory = clean(&location.directory);
            if !directory.is_empty() && !directories.contains(&directory) {
                directories.push(directory);
            }
        }
        for line in wrap(&directories.join(" "), look.width.saturating_sub(4)) {
            out.push_str(&format!("    {line}\n"));
        }
    }
    out.push_str(&look.heading("\nWhat to do:\n"));
    if kind == Kind::Agent {
        out.push_str("  create an agent with `callsheet new`, or\n");
    }
    out.push_str("  put a file into one of these directories, or\n");
    out.push_str("  use other directories with `--project DIR` or `--home DIR`, or\n");
    out.push_str(&format!(
        "  list the {noun}s of one tool, including built-in ones, with `--as DIALECT`\n"
    ));
    out
}

fn heading(look: &Look, listing: &Listing) -> String {
    let count = |standing| listing.count(standing);
    let mut parts = vec![plural(count(Standing::Active), noun(listing.kind))];
    let others = [
        (Standing::Shadowed, "shadowed"),
        (Standing::Withheld, "withheld"),
        (Standing::Broken, "broken"),
    ];
    for (standing, word) in others {
        if count(standing) > 0 {
            parts.push(format!("{} {word}", count(standing)));
        }
    }
    let unreadable = listing
        .visited
        .iter()
        .filter(|visited| visited.presence == Presence::Unreadable)
        .count();
    if unreadable > 0 {
        parts.push(format!("{unreadable} unreadable"));
    }
    format!("{}: {}\n", look.heading(&listing.dialect), parts.join(", "))
}
