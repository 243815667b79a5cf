//! What the fixes make of the files.

use callsheet::fix::{Mended, Which};

use super::work::Targets;
use crate::commands::context::Context;

/// The files that would change. What cannot be read is passed over: the check that follows reports it.
pub(super) fn files(context: &mut Context, targets: &Targets, which: Which) -> Vec<Mended> {
    let mended = targets
        .iter()
        .filter_map(|(path, dialects)| context.callsheet.mend(path, dialects, which).ok());
    mended.filter(|file| !file.applied.is_empty()).collect()
}
