//! The output of `check --repos`.

use callsheet::output::json_v1;
use callsheet::output::text;

use super::said::Said;
use crate::cli::Output;
use crate::commands::context::Context;
use crate::commands::repos::Done;
use crate::exit::Failure;

pub(super) fn all(context: &mut Context, done: &[Done<Said>]) -> Result<(), Failure> {
    let said = || done.iter().filter_map(Done::said);
    let counts = said().fold([0; 3], |[errors, warnings, notes], said| {
        [errors + said.errors, warnings + said.warnings, notes + said.notes]
    });
    match context.options.format {
        Output::Json => {
            let documents = done.iter().map(|one| match &one.result {
                Ok(kept) => (&*one.path, Ok(&*kept.said.document)),
                Err(failure) => (&*one.path, Err(failure.message())),
            });
            return Ok(context.print(&json_v1::repositories(counts, documents))?);
        }
        Output::Concise => return Ok(said().try_for_each(|said| context.print(&said.lines))?),
        _ => {}
    }
    let look = context.look;
    for (path, said) in done.iter().filter_map(|one| Some((&one.path, one.said()?))) {
        let Said {
            errors,
            warnings,
            notes,
            lines,
            ..
        } = said;
        if !lines.is_empty() {
            let title = text::repository(&look, path, [*errors, *warnings, *notes]);
            context.print(&format!("{title}\n"))?;
            for line in lines.lines() {
                context.print(&format!("  {line}\n"))?;
            }
        }
    }
    if context.options.quiet {
        return Ok(());
    }
    let with_findings = said().filter(|said| !said.lines.is_empty()).count();
    let files = said().map(|said| said.files).sum();
    let summary = text::repositories(&look, [said().count(), with_findings, files], counts);
    Ok(context.print(&format!("{summary}\n"))?)
}
