//! Applies the fixes of findings until none is left.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::order::sorted;

/// The most rounds per file. Fixes that touch each other wait for the next round; more than a few such rounds are fixes that undo
/// each other.
const MOST_ROUNDS: usize = 12;

/// Which fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Fixes that keep the author's intent.
    Safe,
    /// All.
    All,
}

impl Which {
    /// With `unsafe_too` all, else only safe ones.
    pub fn new(unsafe_too: bool) -> Self {
        if unsafe_too { Self::All } else { Self::Safe }
    }
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it fixes.
    pub rule: &'static str,
    /// What it does, as an imperative sentence.
    pub title: String,
    /// Whether it keeps the author's intent.
    pub safe: bool,
}

/// The result of fixing a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The contents; the old ones if there is nothing to fix.
    pub after: Vec<u8>,
    /// The fixes in the order in which they were applied.
    pub applied: Vec<Applied>,
}

/// Applies the fixes of the findings of `find` in rounds, until none is left. Contents whose fixes do not end are left unchanged.
pub fn fix(before: &[u8], which: Which, find: impl Fn(&[u8]) -> Vec<Diagnostic>) -> Fixed {
    let mut fixed = Fixed {
        after: before.to_owned(),
        applied: Vec::new(),
    };
    for _ in 0..MOST_ROUNDS {
        let Some((after, applied)) = round(&fixed.after, &find(&fixed.after), which) else {
            return fixed;
        };
        fixed.after = after;
        fixed.applied.extend(applied);
    }
    Fixed {
        after: before.to_owned(),
        applied: Vec::new(),
    }
}

/// Applies the fixes that can be applied together: of fixes that touch each other, the first. None if there is nothing to apply.
fn round(contents: &[u8], diagnostics: &[Diagnostic], which: Which) -> Option<(Vec<u8>, Vec<Applied>)> {
    let chosen = diagnostics
        .iter()
        .filter_map(|diagnostic| Some((diagnostic, chosen(contents, diagnostic, which)?)));
    let start = |fix: &Fix| fix.edits.first().map(|edit| edit.span.start);
    let fixes = sorted(chosen.collect(), |(_, a): &(&Diagnostic, &Fix), (_, b)| {
        start(a).cmp(&start(b))
    });
    let (mut taken, mut applied) = (BTreeMap::new(), Vec::new());
    for (diagnostic, fix) in fixes {
        if fix.edits.iter().any(|edit| touches(&taken, edit)) {
            continue;
        }
        taken.extend(fix.edits.iter().map(|edit| (edit.span.start.index(), edit)));
        applied.push(Applied {
            rule: diagnostic.rule,
            title: fix.title.clone(),
            safe: fix.safe,
        });
    }
    (!applied.is_empty()).then(|| (Edit::apply(contents, taken.into_values()), applied))
}

/// The first fix of a finding that is applicable and changes something.
fn chosen<'a>(contents: &[u8], diagnostic: &'a Diagnostic, which: Which) -> Option<&'a Fix> {
    let replaced = |edit: &Edit| contents.get(edit.span.start.index()..edit.span.end.index());
    diagnostic.fixes.iter().find(|fix| {
        (fix.safe || which == Which::All)
            && fix.edits.iter().all(|edit| replaced(edit).is_some())
            && fix
                .edits
                .iter()
                .any(|edit| replaced(edit) != Some(edit.text.as_bytes()))
    })
}

/// Whether an edit overlaps or touches an accepted one: two insertions at one place have no order.
fn touches(taken: &BTreeMap<usize, &Edit>, edit: &Edit) -> bool {
    let before = taken.range(..=edit.span.end.index()).next_back();
    before.is_some_and(|(_, other)| other.span.end >= edit.span.start)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::diagnostic::Place;
    use crate::rules::too_long::RULE;
    use crate::span::Span;

    /// A finding with one safe fix.
    fn finding(edits: &[(usize, usize, &str)]) -> Diagnostic {
        let edit = |(start, end, text): &(usize, usize, &str)| Edit {
            span: Span::new(*start, *end),
            text: (*text).to_owned(),
        };
        let mut finding = Diagnostic::new(&RULE, Place::beginning("x"), String::new());
        finding.fixes.push(Fix {
            title: "Fix it".to_owned(),
            safe: true,
            edits: edits.iter().map(edit).collect(),
        });
        finding
    }

    #[test]
    fn one_round_applies_non_overlapping_fixes() {
        type Edits<'a> = &'a [(usize, usize, &'a str)];
        type Row<'a> = (&'a [u8], &'a [Edits<'a>], &'a [u8], usize);
        let table: &[Row<'_>] = &[
            // Other bytes survive.
            (
                b"\xef\xbb\xbfa: b\r\nc: \xff\xfe",
                &[&[(6, 7, "'b'")]],
                b"\xef\xbb\xbfa: 'b'\r\nc: \xff\xfe",
                1,
            ),
            // The first by place wins.
            (b"abcdef", &[&[(2, 4, "X")], &[(0, 3, "Y")]], b"Ydef", 1),
            (b"abcdef", &[&[(4, 5, "X")], &[(0, 3, "Y")]], b"YdXf", 2),
            // A fix is applied whole or not at all.
            (
                b"abcdef",
                &[&[(0, 1, "1"), (5, 6, "1")], &[(2, 3, "2"), (5, 6, "2")]],
                b"1bcde1",
                1,
            ),
            // Insertions at one place do not add up.
            (b"ab", &[&[(1, 1, "-")], &[(1, 1, "-")]], b"a-b", 1),
        ];
        for (contents, findings, expected, fixes) in table {
            let diagnostics: Vec<Diagnostic> = findings.iter().map(|edits| finding(edits)).collect();
            let (after, applied) = round(contents, &diagnostics, Which::Safe).expect("something to apply");
            assert_eq!((&*after, applied.len()), (*expected, *fixes));
        }
    }

    #[test]
    fn invalid_and_empty_edits_are_ignored() {
        for edit in [(5, 9, "x"), (0, 1, "a")] {
            assert_eq!(round(b"abcdef", &[finding(&[edit])], Which::All), None);
        }
    }

    #[test]
    fn unsafe_fixes_are_opt_in() {
        let mut unsafe_one = finding(&[(0, 1, "x")]);
        unsafe_one.fixes[0].safe = false;
        let found = vec![unsafe_one];
        assert_eq!(round(b"ab", &found, Which::Safe), None);
        assert_eq!(
            round(b"ab", &found, Which::All).map(|(after, _)| after),
            Some(b"xb".to_vec())
        );
    }

    #[test]
    fn fixes_that_never_settle_change_nothing() {
        let grow = |contents: &[u8]| vec![finding(&[(contents.len(), contents.len(), "x")])];
        let fixed = fix(b"ab", Which::Safe, grow);
        assert_eq!((&*fixed.after, fixed.applied.len()), (&b"ab"[..], 0));
        let once = |contents: &[u8]| match contents {
            b"ab" => vec![finding(&[(0, 1, "c")])],
            _ => vec![],
        };
        assert_eq!(fix(b"ab", Which::Safe, once).after, b"cb");
    }
}
