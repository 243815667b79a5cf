//! Accepted findings, so that only new ones are reported.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::output::report::{Accepted, AcceptedFinding, Checked, Suppression};

/// The version of the file format that this release reads and writes.
const VERSION: u32 = 1;

/// The accepted findings, as stored in a file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Baseline {
    version: u32,
    findings: BTreeSet<AcceptedFinding>,
}

impl Baseline {
    /// Accepts every reported finding; `keys` are those of all, in the same order.
    pub fn new(checked: &Checked, keys: &[AcceptedFinding]) -> Self {
        Self {
            version: VERSION,
            findings: reported(checked, keys).collect(),
        }
    }

    /// Reads the file. Fails with a reason for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        match serde_json::from_str(text) {
            Ok(Self { version, .. }) if version != VERSION => {
                Err(format!("version {version} is not supported by this release"))
            }
            Ok(baseline) => Ok(baseline),
            Err(error) => Err(format!("not a baseline: {error}")),
        }
    }

    /// The file: sorted, one line per entry.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("it has string keys and cannot fail") + "\n"
    }

    /// The number of accepted findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Suppresses the accepted findings of the report; `keys` are those of all, in the same order.
    pub fn suppress(&self, checked: &mut Checked, keys: &[AcceptedFinding]) -> Accepted {
        let found: BTreeSet<AcceptedFinding> = reported(checked, keys).collect();
        for (finding, key) in checked.findings.iter_mut().zip(keys) {
            if finding.is_reported() && self.findings.contains(key) {
                finding.suppressed = Some(Suppression::Baseline);
            }
        }
        let stale = self.findings.iter().filter(|entry| !found.contains(entry));
        Accepted {
            suppressed: checked.suppressed(Suppression::Baseline),
            stale: stale.cloned().collect(),
        }
    }
}

/// The keys of findings that are not suppressed yet.
fn reported(checked: &Checked, keys: &[AcceptedFinding]) -> impl Iterator<Item = AcceptedFinding> {
    let findings = checked.findings.iter().zip(keys);
    let reported = findings.filter(|(finding, _)| finding.is_reported());
    reported.map(|(_, key)| key.clone())
}
