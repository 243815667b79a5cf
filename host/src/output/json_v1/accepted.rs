//! Findings accepted by a baseline.

use serde::Serialize;

use crate::baseline;

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

impl<'a> From<&'a baseline::Accepted> for Accepted<'a> {
    fn from(accepted: &'a baseline::Accepted) -> Self {
        let entry = |entry: &'a baseline::Entry| Entry {
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
