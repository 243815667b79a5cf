//! Findings with data from their files.

use callsheet_contract::types::{Edit, Position};

use super::report::{AcceptedFinding, Finding};
use crate::fingerprint::Fingerprints;

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
    let mut last: Option<(&str, Option<Vec<u8>>)> = None;
    let mut located = Vec::with_capacity(findings.len());
    for finding in findings {
        let path = finding.diagnostic.primary.place.path.as_str();
        let contents = match last.take() {
            Some((other, contents)) if other == path => contents,
            _ => read(path),
        };
        located.push(Located {
            finding,
            fingerprint: fingerprints.next(&finding.diagnostic, contents.as_deref()),
            edits: contents.as_deref().map(|contents| edits(finding, contents)),
        });
        last = Some((path, contents));
    }
    located
}

fn edits(finding: &Finding, contents: &[u8]) -> Vec<Vec<(Position, Position)>> {
    let ends = |edit: &Edit| {
        (
            position(contents, edit.span.start),
            position(contents, edit.span.end),
        )
    };
    let fixes = finding.diagnostic.fixes.iter();
    fixes.map(|fix| fix.edits.iter().map(ends).collect()).collect()
}

/// LF, CRLF and CR each end a line; an invalid UTF-8 sequence counts as one character.
fn position(contents: &[u8], offset: u32) -> Position {
    let before = &contents[..contents.len().min(offset as usize)];
    let ends_line = |(at, byte): &(usize, &u8)| match byte {
        b'\n' => true,
        b'\r' => contents.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    let ends = || before.iter().enumerate().filter(ends_line);
    let start = ends().next_back().map_or(0, |(at, _)| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count();
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    Position {
        line: number(ends().count()),
        column: number(column),
    }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn all_line_endings_are_recognized() {
        let contents = b"a\nb\r\nc\rd\xff\xc3\xa9e";
        let at = |offset| {
            let position = position(contents, offset);
            (position.line, position.column)
        };
        assert_eq!(
            [0, 2, 5, 7, 9, 11, 99].map(at),
            [(1, 1), (2, 1), (3, 1), (4, 1), (4, 3), (4, 4), (4, 5)]
        );
    }
}
