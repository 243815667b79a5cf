//! Findings accepted by a baseline.

use serde::Serialize;

use crate::report;

#[derive(Serialize)]
pub(super) struct Accepted<'a> {
    suppressed: usize,
    stale: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    path: &'a str,
    rule: &'a str,
    fingerprint: &'a str,
}

impl<'a> From<&'a report::Accepted> for Accepted<'a> {
    fn from(accepted: &'a report::Accepted) -> Self {
        let entry = |entry: &'a report::AcceptedFinding| Entry {
            path: &entry.path,
            rule: &entry.rule,
            fingerprint: &entry.fingerprint,
        };
        Self {
            suppressed: accepted.suppressed,
            stale: accepted.stale.iter().map(entry).collect(),
        }
    }
}
