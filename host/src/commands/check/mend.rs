//! What the fixes make of the files.

use callsheet::fix::{Mended, Which};
use callsheet::types::Diagnostic;

use super::work::Targets;
use crate::commands::context::Context;

/// The files that would change. What cannot be read is passed over: the check that follows reports it.
pub(super) fn files(context: &mut Context, targets: &Targets, which: Which) -> Vec<Mended> {
    let config = &context.config;
    let wanted = |finding: &Diagnostic| !config.is_off(&finding.rule, &finding.primary.place.path);
    let mended = targets
        .iter()
        .filter_map(|(path, dialects)| context.callsheet.mend(path, dialects, which, &wanted).ok());
    mended.filter(|file| !file.applied.is_empty()).collect()
}
