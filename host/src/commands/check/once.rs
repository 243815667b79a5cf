//! One check, from the options to the exit status.

use std::collections::BTreeMap;

use callsheet::output::report::Checked;
use callsheet::output::text::plural;
use callsheet::types::{Level, Severity};

use super::chosen::Chosen;
use super::stdin::Input;
use super::work::Work;
use super::{accept, comments, outside, print, work};
use crate::cli::Check;
use crate::commands::context::Context;
use crate::commands::readers;
use crate::exit::{Exit, Failure};

/// The result of one check.
pub(super) struct Done {
    pub exit: Exit,
    /// The files that were checked.
    pub files: Vec<String>,
}

pub(super) fn once(context: &mut Context, command: &Check, input: Option<Input>) -> Result<Done, Failure> {
    let chosen = Chosen::of(context, command)?;
    let known = match &command.baseline {
        Some(file) => accept::load(file)?,
        None => None,
    };
    let mut work = match &input {
        Some(input) => Work::of_input(context, input.name(), &command.target),
        None => Work::start(context, &command.paths, &command.target),
    };
    if let Some(names) = &command.readers {
        let (of_plugins, files): (Vec<_>, Vec<_>) =
            files_of(context, &work)?.into_iter().partition(|it| it.1);
        let files: Vec<String> = files.into_iter().map(|(path, _)| path).collect();
        context.keep(&files)?;
        let exit = readers::check(context, files.clone(), names)?;
        if !of_plugins.is_empty() {
            let count = plural(of_plugins.len(), "file");
            context.remark(&format!(
                "note: {count} of plugins not shown: manifests decide how they are read"
            ));
        }
        let exit = if work.failed() { Exit::Trouble } else { exit };
        return Ok(Done { exit, files });
    }
    let is_whole = work.request.paths.is_empty() && command.paths.is_empty();
    let mut fixed = Vec::new();
    if command.fix || command.diff {
        fixed = work.fixes(context, &chosen, command.which())?;
    }
    if command.fix {
        match input {
            Some(input) => input.print_fixed(context, &fixed)?,
            None => {
                fixed.retain(|file| work.write(context, file));
                outside::fixed(context, &fixed);
            }
        }
    }
    if command.add_ignore {
        comments::add(context, &mut work, &chosen)?;
    }
    let report = work.check(context)?;
    let files: Vec<String> = report.files.iter().map(|checked| checked.path.clone()).collect();
    context.keep(files.iter().chain(&report.others))?;
    let failed = work.failed();
    let mut checked = work::checked(report, &context.config, !command.no_ignore);
    if command.fix {
        checked.fixed = Some(std::mem::take(&mut fixed));
    }
    // A failed check is no baseline for later ones.
    if let Some(file) = command.baseline.as_deref().filter(|_| known.is_some() || !failed) {
        accept::apply(context, command, file, known, &mut checked)?;
    }
    checked.findings.retain(|finding| chosen.has(&finding.diagnostic));
    if command.diff {
        print::diffs(context, fixed, &checked)?;
    } else if command.statistics {
        print::statistics(context, &checked)?;
    } else {
        let nothing = print::nothing(!is_whole, work.has_said_why());
        print::findings(context, &checked, !command.show_all, nothing)?;
    }
    if (command.fix || command.diff) && is_whole {
        outside::left(context, &checked, command.which());
    }
    let exit = match exit(&checked, failed) {
        Exit::Findings if command.exit_zero => Exit::Clean,
        exit => exit,
    };
    Ok(Done { exit, files })
}

/// The files to check, and whether each is a plugin's: those at or below the paths, otherwise those that a check reads.
pub(super) fn files_of(context: &mut Context, work: &Work) -> Result<BTreeMap<String, bool>, Failure> {
    let mut files = BTreeMap::new();
    if work.request.paths.is_empty() && !work.failed() {
        let report = context.callsheet.check(&work.request, None)?;
        let checked = report.files.into_iter();
        files.extend(checked.map(|checked| (checked.path, checked.level == Level::Plugin)));
    }
    for path in &work.request.paths {
        let (found, _) = context.callsheet.discover(path)?;
        let only_owned = found.iter().any(|found| found.dialect.is_some());
        let found = found
            .into_iter()
            .filter(|found| !only_owned || found.dialect.is_some());
        files.extend(found.map(|found| (found.path, found.level == Some(Level::Plugin))));
    }
    Ok(files)
}

fn exit(checked: &Checked, failed: bool) -> Exit {
    let findings = checked.count(Severity::Error) + checked.count(Severity::Warning);
    match (failed, findings) {
        (true, _) => Exit::Trouble,
        (false, 0) => Exit::Clean,
        (false, _) => Exit::Findings,
    }
}
