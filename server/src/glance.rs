//! The findings of a file without a look at the others, to answer every keystroke.

use std::collections::BTreeSet;

use callsheet_contract::types::{Label, Place, Span};
use callsheet_report::report::Finding;

/// The findings of a file that need the other files, as of the last look at them.
pub(super) struct Glance {
    contents: Vec<u8>,
    findings: Vec<Finding>,
    /// What the file alone seems to lack, but has elsewhere: rules and messages.
    settled: BTreeSet<(String, String)>,
}

impl Glance {
    /// From all the findings of a file, and those of the file alone.
    pub(super) fn new(contents: Vec<u8>, all: &[Finding], own: &[Finding]) -> Self {
        let known: BTreeSet<_> = all.iter().map(text).collect();
        let settled = own.iter().map(text).filter(|text| !known.contains(text));
        let own: BTreeSet<_> = own.iter().map(key).collect();
        let others = all.iter().filter(|finding| !own.contains(&key(finding)));
        Self {
            contents,
            findings: others.cloned().collect(),
            settled: settled.collect(),
        }
    }

    /// The findings after a change: those of the file alone, and the others as they were, except on changed lines.
    pub(super) fn findings(&self, contents: &[u8], mut own: Vec<Finding>) -> Vec<Finding> {
        let change = Change::between(&self.contents, contents);
        own.retain(|finding| !self.settled.contains(&text(finding)));
        own.extend(self.findings.iter().filter_map(|finding| change.moved(finding)));
        own.sort_by(|a, b| a.order().cmp(&b.order()));
        own
    }
}

fn key(finding: &Finding) -> (&str, &str, u32) {
    let found = &finding.diagnostic;
    (&found.rule, &found.message, found.primary.place.span.start)
}

fn text(finding: &Finding) -> (String, String) {
    (
        finding.diagnostic.rule.clone(),
        finding.diagnostic.message.clone(),
    )
}

/// One replaced piece of a text.
struct Change {
    start: usize,
    /// Where the first unchanged line behind it begins, if there is one.
    rest: Option<usize>,
    /// What it adds to the length of the text.
    growth: i64,
}

impl Change {
    fn between(before: &[u8], after: &[u8]) -> Self {
        let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let (old, new) = (before[start..].iter().rev(), after[start..].iter().rev());
        let end = before.len() - old.zip(new).take_while(|(a, b)| a == b).count();
        let newline = before[end..].iter().position(|byte| *byte == b'\n');
        Self {
            start,
            rest: newline.map(|at| end + at + 1),
            growth: after.len() as i64 - before.len() as i64,
        }
    }

    /// A finding at its new place. Its fixes are for the old text; the next look has new ones.
    fn moved(&self, finding: &Finding) -> Option<Finding> {
        let mut finding = finding.clone();
        let found = &mut finding.diagnostic;
        found.primary.place = self.place(&found.primary.place)?;
        found.fixes.clear();
        let related = std::mem::take(&mut found.related).into_iter();
        let related = related.filter_map(|label| {
            if label.place.path != found.primary.place.path {
                return Some(label);
            }
            let place = self.place(&label.place)?;
            Some(Label { place, ..label })
        });
        found.related = related.collect();
        Some(finding)
    }

    /// The place with its new bytes, which is all that the editor is told.
    fn place(&self, place: &Place) -> Option<Place> {
        let (start, end) = (place.span.start, place.span.end);
        if (end as usize) < self.start {
            return Some(place.clone());
        }
        if self.rest.is_none_or(|rest| (start as usize) < rest) {
            return None;
        }
        let moved = |at: u32| u32::try_from(i64::from(at) + self.growth).ok();
        let span = Span {
            start: moved(start)?,
            end: moved(end)?,
        };
        Some(Place {
            span,
            ..place.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Change;
    use callsheet_contract::types::{Place, Position, Span};

    #[test]
    fn places_move_with_their_lines_and_end_with_them() {
        let before = "first\nsecond\nthird\nlast";
        let at = |word: &str| {
            let start = before.find(word).expect("it is a word of the text") as u32;
            let position = Position { line: 1, column: 1 };
            Place {
                path: "x.md".into(),
                span: Span {
                    start,
                    end: start + word.len() as u32,
                },
                start: position,
                end: position,
            }
        };
        let after = "first\nse\nnd\nthird\nlast";
        let change = Change::between(before.as_bytes(), after.as_bytes());
        let moved = |word| {
            let span = change.place(&at(word))?.span;
            Some(&after[span.start as usize..span.end as usize])
        };
        assert_eq!(moved("first"), Some("first"));
        assert_eq!(moved("second"), None);
        assert_eq!(moved("third"), Some("third"));
        assert_eq!(moved("last"), Some("last"));
        let cut = Change::between(before.as_bytes(), b"first");
        assert_eq!(cut.place(&at("last")), None);
    }
}
