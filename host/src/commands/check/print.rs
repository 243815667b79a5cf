//! What `check` says in each format.

use std::io;

use callsheet::fix::Mended;
use callsheet::output::report::Checked;
use callsheet::output::{concise, json_v1, text};

use crate::cli::Format;
use crate::commands::context::Context;

pub(super) fn findings(context: &mut Context, checked: &Checked) -> io::Result<()> {
    match context.format() {
        Format::Json => context.print(&json_v1::check(checked)),
        Format::Concise => lines(context, checked),
        Format::Text => excerpts(context, checked),
    }
}

pub(super) fn diffs(context: &mut Context, mended: &[Mended]) -> io::Result<()> {
    let look = context.look;
    mended
        .iter()
        .try_for_each(|file| context.print(&text::diff(&look, file)))
}

fn lines(context: &mut Context, checked: &Checked) -> io::Result<()> {
    for file in checked.fixed.iter().flatten() {
        for fix in &file.applied {
            context.print(&concise::fixed(&file.path, fix))?;
        }
    }
    for finding in &checked.findings {
        context.print(&concise::diagnostic(&finding.diagnostic))?;
    }
    Ok(())
}

fn excerpts(context: &mut Context, checked: &Checked) -> io::Result<()> {
    for file in checked.fixed.iter().flatten() {
        context.print(&format!("{}\n", text::fixed(&context.look, file)))?;
    }
    context.print_excerpts(checked)?;
    if context.options.quiet {
        return Ok(());
    }
    if checked.files == 0 && !context.options.gives_agents() {
        return context.print("nothing to check: `callsheet list` says where agents are looked for\n");
    }
    context.print(&format!("{}\n", text::summary(&context.look, checked)))
}
