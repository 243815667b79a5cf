//! `check`: what is wrong with agent files, and mending it.

mod accept;
mod choice;
mod mend;
mod outside;
mod print;
mod work;

use callsheet::output::report::Checked;
use callsheet::output::secrets;
use callsheet::types::Severity;

use self::work::{Targets, Work};
use super::context::Context;
use super::readers;
use crate::cli::{Check, Output};
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, command: &Check) -> Result<Exit, Failure> {
    if command.diff && context.options.format != Output::Text {
        let failure = Failure::trouble("`--diff` prints a diff and knows no other format");
        return Err(failure.help("`--format json` without it lists the fixes with their edits"));
    }
    let known = match &command.baseline {
        Some(file) => accept::load(file)?,
        None => None,
    };
    let mut work = Work::start(context, &command.paths)?;
    if let Some(names) = &command.readers {
        let targets = work.targets(context)?;
        let exit = readers::check(context, targets.into_keys().collect(), names)?;
        return Ok(if work.failed() { Exit::Trouble } else { exit });
    }
    let (mut mended, mut targets) = (Vec::new(), Targets::new());
    if command.fix || command.diff {
        targets = work.targets(context)?;
        mended = mend::files(context, &targets, command.which());
    }
    if command.fix {
        mended.retain(|file| work.write(context, file));
        outside::mended(context, &mended);
    }
    work.check(context)?;
    let (mut checked, failed) = work.finish(&context.config, !command.no_ignore);
    if command.fix {
        checked.fixed = Some(std::mem::take(&mut mended));
    }
    secrets::conceal(&mut checked, |path| context.callsheet.read(path).ok());
    // A check that missed something is no measure for later ones.
    if let Some(file) = command.baseline.as_deref().filter(|_| known.is_some() || !failed) {
        accept::apply(context, command, file, known, &mut checked)?;
    }
    if command.diff {
        print::diffs(context, mended, &checked)?;
    } else {
        let nothing = print::nothing(!command.paths.is_empty(), failed);
        print::findings(context, &checked, nothing)?;
    }
    if (command.fix || command.diff) && command.paths.is_empty() {
        outside::left(context, &checked, &targets, command.which());
    }
    Ok(exit(&checked, failed))
}

fn exit(checked: &Checked, failed: bool) -> Exit {
    let findings = checked.count(Severity::Error) + checked.count(Severity::Warning);
    match (failed, findings) {
        (true, _) => Exit::Trouble,
        (false, 0) => Exit::Clean,
        (false, _) => Exit::Findings,
    }
}
