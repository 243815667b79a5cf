//! Findings that are accepted as they are, so that only new ones are reported.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::output::report::{Checked, Finding, Suppression};

/// The version of the file that this release reads and writes.
const VERSION: u32 = 1;

/// The findings of one moment, as a file keeps them.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Baseline {
    version: u32,
    findings: BTreeSet<Entry>,
}

/// An accepted finding.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Entry {
    /// The file that it is about.
    pub path: String,
    /// Its rule.
    pub rule: String,
    /// What it is known by when lines above it come and go; see [`Fingerprints`](crate::fingerprint::Fingerprints).
    pub fingerprint: String,
}

/// What a baseline took out of a report.
#[derive(Clone, Debug, Default)]
pub struct Accepted {
    /// How many findings.
    pub suppressed: usize,
    /// The entries that fit none.
    pub stale: Vec<Entry>,
}

impl Baseline {
    /// Accepts every finding that is reported; `fingerprints` are those of all, in the same order.
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
                Err(format!("version {version} is not known to this release"))
            }
            Ok(baseline) => Ok(baseline),
            Err(error) => Err(format!("this is no baseline: {error}")),
        }
    }

    /// The file: sorted, an entry changes only if its line does.
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.expect("it has string keys and cannot fail") + "\n"
    }

    /// How many findings it accepts.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether it accepts none.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Suppresses the accepted findings of the report; `fingerprints` are those of all, in the same order.
    pub fn suppress(&self, checked: &mut Checked, fingerprints: &[String]) -> Accepted {
        let found: BTreeSet<Entry> = entries(checked, fingerprints).collect();
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

/// Those of the findings that nothing suppresses yet.
fn entries(checked: &Checked, fingerprints: &[String]) -> impl Iterator<Item = Entry> {
    let findings = checked.findings.iter().zip(fingerprints);
    let reported = findings.filter(|(finding, _)| finding.is_reported());
    reported.map(|(finding, fingerprint)| entry(finding, fingerprint))
}

fn entry(finding: &Finding, fingerprint: &str) -> Entry {
    Entry {
        path: finding.diagnostic.primary.place.path.clone(),
        rule: finding.diagnostic.rule.clone(),
        fingerprint: fingerprint.to_owned(),
    }
}
