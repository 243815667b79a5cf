//! `inventory`: what acts in the project.

mod repos;

use std::path::Path;

use callsheet::output::{concise, cyclonedx, json_v1, text};

use super::context::Context;
use crate::cli::{self, Output};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &cli::Inventory) -> Result<Exit, Failure> {
    if let Some(file) = &command.output_file {
        context.print_to(file)?;
    }
    if let Some(from) = &command.many.repos {
        return repos::run(context, &command.many, &name(from));
    }
    let inventory = context.callsheet.inventory()?;
    context.keep(inventory.graph.nodes.iter().filter_map(|node| node.path.as_ref()))?;
    let text = match context.options.format {
        Output::Json => json_v1::inventory(&inventory),
        Output::CycloneDx => cyclonedx::inventory(&inventory, &name(&context.options.project)),
        Output::Concise => concise::inventory(&inventory),
        Output::Text => text::inventory(&context.look, &inventory),
        _ => unreachable!("other commands are run with these"),
    };
    context.print(&text)?;
    Ok(Exit::Clean)
}

/// The name of the project's folder.
fn name(project: &Path) -> String {
    let real = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    let name = real.file_name().unwrap_or(real.as_os_str());
    name.to_string_lossy().into_owned()
}
