//! The output of `check` in each format.

use std::io;

use callsheet::fix::FixedFile;
use callsheet::output::located::Located;
use callsheet::output::report::Checked;
use callsheet::output::secrets::Secrets;
use callsheet::output::{concise, github, gitlab, json_v1, sarif, text};

use super::stored::Stored;
use crate::cli::Output;
use crate::commands::context::Context;
use crate::exit::Failure;

/// All findings, or with `is_brief` only the useful ones of each rule. `nothing` is printed if there was no file to check.
pub(super) fn findings(
    context: &mut Context,
    checked: &Checked,
    is_brief: bool,
    nothing: &str,
) -> Result<(), Failure> {
    match context.options.format {
        Output::Text => excerpts(context, checked, is_brief, nothing),
        Output::Concise => lines(context, checked),
        Output::Json => context.print(&json_v1::check(checked)),
        Output::Sarif => {
            let rules = context.callsheet.rules()?;
            let stored = Stored::new(context, checked);
            let log = sarif::log(&reported(context, &stored), &rules);
            context.print(&log)
        }
        Output::Github => {
            let stored = Stored::new(context, checked);
            context.print(&github::annotations(&stored.checked))
        }
        Output::Gitlab => {
            let stored = Stored::new(context, checked);
            let report = gitlab::report(&reported(context, &stored));
            context.print(&report)
        }
        _ => unreachable!("other commands are run with these"),
    }?;
    Ok(())
}

fn reported<'a>(context: &mut Context, stored: &'a Stored) -> Vec<Located<'a>> {
    let mut located = stored.located(context);
    located.retain(|located| located.finding.is_reported());
    located
}

pub(super) fn diffs(context: &mut Context, fixed: Vec<FixedFile>, checked: &Checked) -> io::Result<()> {
    let look = context.look;
    fixed.into_iter().try_for_each(|file| {
        let secrets = Secrets::of(&file.before, checked.of(&file.path));
        context.print(&text::diff(&look, &secrets.in_diff(file)))
    })
}

fn lines(context: &mut Context, checked: &Checked) -> io::Result<()> {
    for file in checked.fixed.iter().flatten() {
        for fix in &file.applied {
            context.print(&concise::fixed(&file.path, fix))?;
        }
    }
    for finding in checked.reported() {
        context.print(&concise::diagnostic(&finding.diagnostic))?;
    }
    Ok(())
}

/// The message for no files; empty if the reason was reported already.
pub(super) fn nothing(named: bool, said: bool) -> &'static str {
    match (said, named) {
        (true, _) => "",
        (false, true) => {
            "nothing to check: no agent files there; `--as DIALECT` checks Markdown as agents of that tool\n"
        }
        (false, false) => {
            "nothing to check: no agent files here; `callsheet list` shows the searched folders\n"
        }
    }
}

/// The number of findings per rule.
pub(super) fn statistics(context: &mut Context, checked: &Checked) -> io::Result<()> {
    let look = context.look;
    context.print(&text::statistics(&look, checked))?;
    if context.options.quiet {
        Ok(())
    } else {
        context.print(&format!("{}\n", text::summary(&look, checked)))
    }
}

fn excerpts(context: &mut Context, checked: &Checked, is_brief: bool, nothing: &str) -> io::Result<()> {
    for file in checked.fixed.iter().flatten() {
        context.print(&format!("{}\n", text::fixed(&context.look, file)))?;
    }
    if is_brief {
        let (shown, rest) = checked.grouped();
        context.print_excerpts(checked, shown)?;
        for findings in rest {
            context.print(&format!("{}\n", text::more(&context.look, &findings)))?;
        }
    } else {
        context.print_excerpts(checked, checked.reported())?;
    }
    if context.options.quiet {
        return Ok(());
    }
    let is_silent = checked.reported().next().is_none();
    if checked.files == 0 && is_silent && !context.options.gives_agents() {
        return context.print(nothing);
    }
    context.print(&format!("{}\n", text::summary(&context.look, checked)))
}
