//! Accepted findings, so that only new ones are reported.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::output::report::{Accepted, AcceptedFinding, Checked, Finding, Suppression};

/// The version of the file format that this release reads and writes.
const VERSION: u32 = 1;

/// The accepted findings, as stored in a file.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Baseline {
    version: u32,
    findings: BTreeSet<AcceptedFinding>,
}

impl Baseline {
    /// Accepts every reported finding; `fingerprints` are those of all, in the same order.
    pub fn new(checked: &Checked, fingerprints: &[String]) -> Self {
        Self {
            version: VERSION,
            findings: entries(checked, fingerprints).collect(),
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

    /// Suppresses the accepted findings of the report; `fingerprints` are those of all, in the same order.
    pub fn suppress(&self, checked: &mut Checked, fingerprints: &[String]) -> Accepted {
        let found: BTreeSet<AcceptedFinding> = entries(checked, fingerprints).collect();
        for (finding, fingerprint) in checked.findings.iter_mut().zip(fingerprints) {
            if finding.is_reported() && self.findings.contains(&entry(finding, fingerprint)) {
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

/// The fingerprints of findings that are not suppressed yet.
fn entries(checked: &Checked, fingerprints: &[String]) -> impl Iterator<Item = AcceptedFinding> {
    let findings = checked.findings.iter().zip(fingerprints);
    let reported = findings.filter(|(finding, _)| finding.is_reported());
    reported.map(|(finding, fingerprint)| entry(finding, fingerprint))
}

fn entry(finding: &Finding, fingerprint: &str) -> AcceptedFinding {
    AcceptedFinding {
        path: finding.diagnostic.primary.place.path.clone(),
        rule: finding.diagnostic.rule.clone(),
        fingerprint: fingerprint.to_owned(),
    }
}
