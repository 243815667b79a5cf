//! `list`: lists active agents.

use callsheet::catalogs::Standing;
use callsheet::output::report::{Listing, Lookout};
use callsheet::output::{concise, json_v1, text};
use callsheet::types::Kind;

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, all: bool) -> Result<Exit, Failure> {
    let mut listings = Vec::new();
    for dialect in context.dialects()? {
        let mut catalog = context.open(&dialect)?;
        let listing = Listing {
            dialect,
            kind: context.kind,
            visited: catalog.visited()?,
            entries: catalog.entries(true)?,
        };
        match context.format() {
            Format::Json => {}
            Format::Concise => concise(context, &listing, all)?,
            Format::Text => {
                let gap = if listings.is_empty() { "" } else { "\n" };
                context.print(&format!("{gap}{}", text::list(&context.look, &listing, all)))?;
            }
        }
        listings.push(listing);
    }
    let looked_for = if listings.is_empty() {
        lookouts(context)?
    } else {
        Vec::new()
    };
    match context.format() {
        Format::Json => context.print(&json_v1::list(&listings, &looked_for, all))?,
        Format::Text if listings.is_empty() => {
            context.print(&text::looked_for(&context.look, context.kind, &looked_for))?;
            others(context)?;
        }
        _ => {}
    }
    Ok(Exit::Clean)
}

/// Says what else is here.
fn others(context: &mut Context) -> Result<(), Failure> {
    for (kind, word) in [
        (Kind::Agent, "agent"),
        (Kind::Skill, "skill"),
        (Kind::Command, "command"),
    ] {
        if kind != context.kind && !context.callsheet.dialects_in_use_for(kind)?.is_empty() {
            context.print(&format!("  list the {word}s here with `--kind {word}`\n"))?;
        }
    }
    Ok(())
}

fn concise(context: &mut Context, listing: &Listing, all: bool) -> Result<(), Failure> {
    for entry in &listing.entries {
        match entry.standing {
            Standing::Active => context.print(&concise::entry(entry, &entry.description))?,
            standing if all || standing == Standing::Broken => {
                context.print(&concise::entry(entry, &entry.reason))?
            }
            _ => {}
        }
    }
    Ok(())
}

fn lookouts(context: &mut Context) -> Result<Vec<Lookout>, Failure> {
    let mut lookouts = Vec::new();
    for dialect in context.callsheet.dialects_for(context.kind)? {
        let locations = context.callsheet.locations_for(&dialect.id, context.kind)?;
        lookouts.push(Lookout {
            dialect: dialect.id,
            locations,
        });
    }
    Ok(lookouts)
}
