//! Fingerprints of findings, which survive changes above them.

use std::collections::BTreeMap;

use callsheet_contract::types::Diagnostic;

/// Computes fingerprints that survive moves.
#[derive(Debug, Default)]
pub struct Fingerprints {
    /// How often each occurred.
    seen: BTreeMap<u128, u64>,
}

impl Fingerprints {
    /// The fingerprint of the next finding, of its rule, its file and its first line without indentation. Findings that have all this in
    /// common are numbered in order.
    ///
    /// `contents` is the file as stored; none if it could not be read.
    pub fn next(&mut self, diagnostic: &Diagnostic, contents: Option<&[u8]>) -> String {
        let place = &diagnostic.primary.place;
        let line = line(contents.unwrap_or_default(), place.span.start as usize);
        let parts = [diagnostic.rule.as_bytes(), place.path.as_bytes(), line];
        let common = parts.into_iter().fold(FNV_OFFSET, hash);
        let seen = self.seen.entry(common).or_default();
        let name = hash(common, &seen.to_le_bytes());
        *seen += 1;
        format!("{name:032x}")
    }
}

/// The line around a byte, without the whitespace at its ends.
fn line(contents: &[u8], at: usize) -> &[u8] {
    let (before, after) = contents.split_at(at.min(contents.len()));
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let start = before.iter().rposition(is_end).map_or(0, |end| end + 1);
    let length = after.iter().position(is_end).unwrap_or(after.len());
    contents[start..before.len() + length].trim_ascii()
}

const FNV_OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// FNV-1a of 128 bits, which is the same on every machine and in every release. A byte that UTF-8 never contains ends a part.
fn hash(state: u128, part: &[u8]) -> u128 {
    let step = |state: u128, byte: &u8| (state ^ u128::from(*byte)).wrapping_mul(FNV_PRIME);
    part.iter().chain(&[0xff]).fold(state, step)
}

#[cfg(test)]
mod tests {
    use callsheet_contract::types::{Label, Place, Position, Severity, Span};

    use super::*;

    /// A finding of `some-rule` in `x.md`.
    fn finding(start: u32, end: u32) -> Diagnostic {
        let position = Position { line: 1, column: 1 };
        let place = Place {
            path: "x.md".to_owned(),
            span: Span { start, end },
            start: position,
            end: position,
        };
        Diagnostic {
            rule: "some-rule".to_owned(),
            severity: Severity::Error,
            message: String::new(),
            primary: Label {
                place,
                text: String::new(),
            },
            related: Vec::new(),
            note: None,
            help: None,
            fixes: Vec::new(),
        }
    }

    fn one(contents: &[u8], start: u32) -> String {
        Fingerprints::default().next(&finding(start, start), Some(contents))
    }

    #[test]
    fn a_moved_line_keeps_its_fingerprint() {
        assert_eq!(one(b"a: b\n", 3), one(b"more\r\n  a: b\r\n", 8));
        assert_ne!(one(b"a: b\n", 3), one(b"a: c\n", 3));
    }

    #[test]
    fn the_fingerprint_never_changes() {
        assert_eq!(one(b"a: b\n", 3), "140cb33926b304be7b1da59d1a8a6dea");
    }

    #[test]
    fn equal_findings_have_different_fingerprints() {
        let mut names = Fingerprints::default();
        let mut next = || names.next(&finding(0, 0), Some(b"a"));
        assert_ne!(next(), next());
    }

    #[test]
    fn every_offset_has_a_fingerprint() {
        let bytes = b"a\r\nb\n";
        for start in 0..9 {
            let (some, none) = (
                one(bytes, start),
                Fingerprints::default().next(&finding(start, start), None),
            );
            assert_eq!((some.len(), none.len()), (32, 32));
        }
    }
}
