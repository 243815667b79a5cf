//! Places of findings by the paths that platforms and baselines know: from the top of the repository, wherever the command runs.

use std::collections::BTreeMap;

use callsheet::output::located::{Located, locate};
use callsheet::output::report::Checked;

use crate::commands::context::Context;

/// A check with such paths.
pub(super) struct Stored {
    pub(super) checked: Checked,
    /// The path of each file here.
    here: BTreeMap<String, String>,
}

impl Stored {
    pub(super) fn new(context: &mut Context, checked: &Checked) -> Self {
        let (mut checked, mut here) = (checked.clone(), BTreeMap::new());
        for finding in &mut checked.findings {
            let found = &mut finding.diagnostic;
            let labels = [&mut found.primary].into_iter().chain(&mut found.related);
            for path in labels.map(|label| &mut label.place.path) {
                if let Some(stored) = context.callsheet.path_in_repository(path) {
                    here.insert(stored.clone(), std::mem::replace(path, stored));
                }
            }
        }
        Self { checked, here }
    }

    /// All findings. Suppressed ones count for the fingerprints of the others, which must not change with them.
    pub(super) fn located(&self, context: &mut Context) -> Vec<Located<'_>> {
        locate(&self.checked.findings, |path| {
            let path = self.here.get(path).map_or(path, |here| here);
            context.callsheet.read(path).ok()
        })
    }
}
