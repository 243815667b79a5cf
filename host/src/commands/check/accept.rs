//! The baseline: accepted findings, and accepted ones that no longer occur.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use callsheet::baseline::Baseline;
use callsheet::output::report::{AcceptedFinding, Checked};
use callsheet::output::text::clean;
use callsheet::regular;

use super::stored::Stored;
use crate::cli::Check;
use crate::commands::context::Context;
use crate::exit::Failure;

/// The baseline of the file; none if the file does not exist.
pub(super) fn load(file: &Path) -> Result<Option<Baseline>, Failure> {
    let failed = |reason: &str| Failure::trouble(format!("cannot read {}: {reason}", name(file)));
    match regular::text(file) {
        Ok(text) => Baseline::parse(&text).map(Some).map_err(|reason| failed(&reason)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(&error.to_string())),
    }
}

/// Suppresses accepted findings; a missing file is created from the current findings.
pub(super) fn apply(
    context: &mut Context,
    command: &Check,
    file: &Path,
    known: Option<Baseline>,
    checked: &mut Checked,
) -> Result<(), Failure> {
    let stored = Stored::new(context, checked);
    let located = stored.located(context).into_iter();
    let keys: Vec<AcceptedFinding> = located.map(|located| AcceptedFinding::from(&located)).collect();
    let baseline = match known {
        Some(baseline) => baseline,
        None => write(context, file, Baseline::new(checked, &keys))?,
    };
    let mut accepted = baseline.suppress(checked, &keys);
    if !command.paths.is_empty() || context.options.dialect.is_some() {
        // Other files were not checked.
        accepted.stale.clear();
    }
    for entry in &accepted.stale {
        context.remark(&format!(
            "note: {} accepts `{}` in {}, which is no longer found",
            name(file),
            clean(&entry.rule),
            clean(&entry.path)
        ));
    }
    checked.accepted = Some(accepted);
    Ok(())
}

fn write(context: &Context, file: &Path, baseline: Baseline) -> Result<Baseline, Failure> {
    let mut options = OpenOptions::new();
    let written = options
        .write(true)
        .create_new(true)
        .open(file)
        .and_then(|mut file| file.write_all(baseline.text().as_bytes()));
    written.map_err(|error| Failure::trouble(format!("cannot write {}: {error}", name(file))))?;
    context.remark(&format!(
        "note: wrote {} (accepted findings: {})",
        name(file),
        baseline.len()
    ));
    Ok(baseline)
}

fn name(file: &Path) -> String {
    clean(&file.to_string_lossy())
}
