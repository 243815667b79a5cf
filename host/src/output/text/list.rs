//! Who is called.

use super::cell::{clean, wrap};
use super::check::plural;
use super::entry::{in_force, standings};
use super::look::Look;
use crate::bindings::exports::callsheet::agents::catalogs::{Entry, Presence, Standing};
use crate::output::report::{Listing, Lookout};

/// The agents of one dialect; with `all`, those that are not in force too.
pub fn list(look: &Look, listing: &Listing, all: bool) -> String {
    let mut out = heading(look, listing);
    let called = |entry: &&Entry| entry.standing == Standing::InForce;
    let (called, other): (Vec<&Entry>, Vec<&Entry>) = listing.entries.iter().partition(called);
    if !called.is_empty() {
        out.push_str(&in_force(look, &called));
    }
    let other: Vec<&Entry> = other
        .into_iter()
        .filter(|entry| all || entry.standing == Standing::Broken)
        .collect();
    if !other.is_empty() {
        let title = if all {
            "Not in force:"
        } else {
            "Broken (`callsheet check` shows why):"
        };
        out.push_str(&format!(
            "\n  {}\n{}",
            look.doubtful(title),
            standings(look, &other)
        ));
    }
    out
}

/// What a `list` without any dialect in use says.
pub fn looked_for(look: &Look, lookouts: &[Lookout]) -> String {
    let mut out =
        String::from("No agents here: no directory exists that a known tool keeps its agents in.\n\n");
    out.push_str(&look.heading("Looked for:\n"));
    for lookout in lookouts {
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
    out.push_str("  put an agent's Markdown file into one of these directories, or\n");
    out.push_str("  look elsewhere with `--project DIR` or `--home DIR`, or\n");
    out.push_str("  see what one tool brings along with `--as DIALECT`\n");
    out
}

fn heading(look: &Look, listing: &Listing) -> String {
    let count = |standing| listing.count(standing);
    let mut parts = vec![plural(count(Standing::InForce), "agent")];
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
