//! Findings with data from their files.

use callsheet_contract::types::{Edit, Position};

use super::report::{AcceptedFinding, Finding};
use crate::fingerprint::Fingerprints;
use crate::lines::Lines;

/// A finding, with data about its places.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// Its fingerprint.
    pub fingerprint: String,
    /// For each fix, where each of its edits starts and ends; none if the file could not be read.
    pub edits: Option<Vec<Vec<(Position, Position)>>>,
}

impl From<&Located<'_>> for AcceptedFinding {
    fn from(located: &Located<'_>) -> Self {
        let found = &located.finding.diagnostic;
        Self {
            path: found.primary.place.path.clone(),
            rule: found.rule.clone(),
            fingerprint: located.fingerprint.clone(),
        }
    }
}

/// Locates findings, which are sorted by place, by reading each file once.
pub fn locate(findings: &[Finding], mut read: impl FnMut(&str) -> Option<Vec<u8>>) -> Vec<Located<'_>> {
    let mut fingerprints = Fingerprints::default();
    let mut located = Vec::with_capacity(findings.len());
    for findings in findings.chunk_by(|a, b| path(a) == path(b)) {
        let contents = read(path(&findings[0]));
        let lines = contents.as_deref().map(|contents| Lines::new(contents, |_| 1));
        located.extend(findings.iter().map(|finding| Located {
            finding,
            fingerprint: fingerprints.next(&finding.diagnostic, contents.as_deref()),
            edits: lines.as_ref().map(|lines| edits(finding, lines)),
        }));
    }
    located
}

fn path(finding: &Finding) -> &str {
    &finding.diagnostic.primary.place.path
}

fn edits(finding: &Finding, lines: &Lines<'_>) -> Vec<Vec<(Position, Position)>> {
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    let position = |offset: u32| {
        let (line, column) = lines.place(offset as usize);
        Position {
            line: number(line),
            column: number(column),
        }
    };
    let ends = |edit: &Edit| (position(edit.span.start), position(edit.span.end));
    let fixes = finding.diagnostic.fixes.iter();
    fixes.map(|fix| fix.edits.iter().map(ends).collect()).collect()
}
