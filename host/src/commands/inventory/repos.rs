//! `inventory --repos`.

use callsheet::output::{concise, cyclonedx, json_v1, text};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::cli::{Output, Repos};
use crate::commands::context::Context;
use crate::commands::repos::{self, Done, Made, Opened};
use crate::exit::{Exit, Failure};

/// The inventory of one repository.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Said {
    numbers: text::Numbers,
    /// A line for each part of it.
    lines: String,
    /// The document of `inventory --format json`.
    document: Box<RawValue>,
    /// The document of `inventory --format cyclonedx`.
    bill: Box<RawValue>,
}

pub(super) fn run(context: &mut Context, many: &Repos, name: &str) -> Result<Exit, Failure> {
    let done = repos::all(context, many, "inventory", &[], said)?;
    print(context, &done, name)?;
    repos::remark(context, many, &done);
    Ok(if done.iter().all(|one| one.result.is_ok()) {
        Exit::Clean
    } else {
        Exit::Trouble
    })
}

fn said(opened: &mut Opened) -> Result<Made<Said>, Failure> {
    let (inventory, trace) = opened.callsheet.inventory_traced()?;
    Ok(Made {
        said: Said {
            numbers: text::Numbers::of(&inventory),
            lines: concise::inventory(&inventory),
            document: json_v1::kept_inventory(&inventory),
            bill: cyclonedx::kept(&inventory),
        },
        trace,
        // All files count, also those that the configuration excludes from checks.
        skipped: Vec::new(),
    })
}

fn print(context: &mut Context, done: &[Done<Said>], name: &str) -> Result<(), Failure> {
    let said = || done.iter().filter_map(|one| Some((&*one.path, one.said()?)));
    match context.options.format {
        Output::Json => {
            let documents = done.iter().map(|one| match &one.result {
                Ok(kept) => (&*one.path, Ok(&*kept.said.document)),
                Err(failure) => (&*one.path, Err(failure.message())),
            });
            return Ok(context.print(&json_v1::inventories(documents))?);
        }
        Output::CycloneDx => {
            let bills = said().map(|(path, said)| (path, &*said.bill));
            return Ok(context.print(&cyclonedx::repositories(name, bills))?);
        }
        Output::Concise => return Ok(said().try_for_each(|(_, said)| context.print(&said.lines))?),
        _ => {}
    }
    let look = context.look;
    let mut all = text::Numbers::default();
    for (path, said) in said() {
        all.add(&said.numbers);
        if said.lines.is_empty() {
            continue;
        }
        context.print(&format!(
            "{}\n",
            text::repository_inventory(&look, path, &said.numbers)
        ))?;
        for line in said.lines.lines() {
            context.print(&format!("  {line}\n"))?;
        }
    }
    if context.options.quiet {
        return Ok(());
    }
    Ok(context.print(&text::inventories(&look, said().count(), &all))?)
}
