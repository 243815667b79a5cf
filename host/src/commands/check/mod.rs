//! `check`: finds problems of agent files, and fixes them.

mod accept;
mod chosen;
mod comments;
mod once;
mod outside;
mod print;
mod repos;
mod stdin;
mod stored;
mod watch;
mod work;

use std::path::PathBuf;

use callsheet::config::{Config, Skips};
use callsheet::output::report::Checked;
use callsheet::projects::Report;

use self::once::once;
use self::stdin::Input;
use self::work::Work;
use super::context::Context;
use crate::cli::{Check, Output};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Check) -> Result<Exit, Failure> {
    if command.diff && context.options.format != Output::Text {
        let failure = Failure::trouble("`--diff` prints a diff and supports no other format");
        return Err(failure.help("use `--format json` instead for fixes with their edits"));
    }
    if command.statistics && context.options.format != Output::Text {
        let failure = Failure::trouble("`--statistics` prints a table and supports no other format");
        return Err(failure.help("use `--format json` instead to count the rules"));
    }
    if let Some(file) = &command.output_file {
        context.print_to(file)?;
    }
    if command.many.repos.is_some() {
        return repos::run(context, command);
    }
    if command.watch {
        return watch::run(context, command);
    }
    let input = Input::read(context, command)?;
    Ok(once(context, command, input)?.exit)
}

/// The findings of the whole project.
pub(super) fn whole(context: &mut Context) -> Result<Checked, Failure> {
    let report = Work::start(context, &[], &[]).check(context)?;
    Ok(work::checked(report, &context.config, true))
}

/// The findings of some files. What the configuration or git excludes is left out, as in a whole project.
pub(super) fn of_files(context: &mut Context, files: &[PathBuf]) -> Result<Checked, Failure> {
    let mut report = Work::start(context, files, &[]).check(context)?;
    let skips = Skips::new(&context.config, &[]);
    work::leave_out(&mut report, |path| skips.of(path).is_some());
    Ok(work::checked(report, &context.config, true))
}

/// A report with the configured severities.
pub(super) fn configured(report: Report, config: &Config) -> Checked {
    work::checked(report, config, true)
}
