//! `list`: lists active agents.

use std::path::Path;

use callsheet::catalogs::{Presence, Standing, Visited};
use callsheet::output::report::{Listing, Lookout};
use callsheet::output::text::clean;
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
    let mut unreadable: Vec<String> = listings.iter().flat_map(|it| unread(&it.visited)).collect();
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
    if listings.is_empty() {
        for lookout in &looked_for {
            let mut catalog = context.open(&lookout.dialect)?;
            unreadable.extend(unread(&catalog.visited()?));
        }
    }
    if let Some(help) = around(context)? {
        context.remark(&format!("note: {help}"));
    }
    unreadable.sort();
    unreadable.dedup();
    for directory in &unreadable {
        context.complain(&Failure::trouble(format!(
            "cannot read the directory {}",
            clean(directory)
        )));
    }
    Ok(if unreadable.is_empty() {
        Exit::Clean
    } else {
        Exit::Trouble
    })
}

/// The directories that cannot be read.
fn unread(visited: &[Visited]) -> Vec<String> {
    let unread = visited.iter().filter(|it| it.presence == Presence::Unreadable);
    unread.map(|it| it.location.directory.clone()).collect()
}

/// Where the rest of the project is, if this is a folder inside one.
pub(super) fn around(context: &mut Context) -> Result<Option<String>, Failure> {
    let root = context.root()?;
    let is_inside = context.options.project == Path::new(".") && root != ".";
    Ok(is_inside.then(|| {
        let root = clean(&root);
        format!("this folder is inside the project {root}; `--project {root}` shows what tools read there")
    }))
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
