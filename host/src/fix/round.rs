//! One round of fixes.

use std::collections::BTreeMap;

use crate::types::{Diagnostic, Edit, Fix};

/// Which fixes to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those that only do what the author plainly meant.
    Safe,
    /// All.
    All,
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The rule whose finding it mends.
    pub rule: String,
    /// What it does.
    pub title: String,
    /// Whether it only does what the author plainly meant.
    pub safe: bool,
}

/// Applies to a file as stored what can be applied at once: of fixes that touch each other the first by place.
///
/// The diagnostics must all be about these contents. None if there is nothing to apply.
pub fn apply(contents: &[u8], diagnostics: &[Diagnostic], which: Which) -> Option<(Vec<u8>, Vec<Applied>)> {
    let mut fixes: Vec<(&Diagnostic, &Fix)> = diagnostics
        .iter()
        .filter_map(|diagnostic| Some((diagnostic, chosen(contents, diagnostic, which)?)))
        .collect();
    fixes.sort_by_key(|(_, fix)| fix.edits.first().map(|edit| edit.span.start));
    let (mut taken, mut applied) = (BTreeMap::new(), Vec::new());
    for (diagnostic, fix) in fixes {
        if fix.edits.iter().any(|edit| touches(&taken, edit)) {
            continue;
        }
        taken.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
        applied.push(Applied {
            rule: diagnostic.rule.clone(),
            title: fix.title.clone(),
            safe: fix.safe,
        });
    }
    (!applied.is_empty()).then(|| (edited(contents, &taken), applied))
}

/// The first fix of a finding that may be applied and would change something.
fn chosen<'a>(contents: &[u8], diagnostic: &'a Diagnostic, which: Which) -> Option<&'a Fix> {
    let replaced = |edit: &Edit| contents.get(edit.span.start as usize..edit.span.end as usize);
    diagnostic.fixes.iter().find(|fix| {
        (fix.safe || which == Which::All)
            && fix.edits.iter().all(|edit| replaced(edit).is_some())
            && fix
                .edits
                .iter()
                .any(|edit| replaced(edit) != Some(edit.text.as_bytes()))
    })
}

/// Whether an edit overlaps one that is taken, or meets it: of two insertions at one place neither is the first.
fn touches(taken: &BTreeMap<u32, &Edit>, edit: &Edit) -> bool {
    let before = taken.range(..=edit.span.end).next_back();
    before.is_some_and(|(_, other)| other.span.end >= edit.span.start)
}

fn edited(contents: &[u8], edits: &BTreeMap<u32, &Edit>) -> Vec<u8> {
    let (mut out, mut done) = (Vec::with_capacity(contents.len()), 0);
    for edit in edits.values() {
        out.extend_from_slice(&contents[done..edit.span.start as usize]);
        out.extend_from_slice(edit.text.as_bytes());
        done = edit.span.end as usize;
    }
    out.extend_from_slice(&contents[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::types::Span;

    /// A finding with one safe fix.
    fn finding(edits: &[(u32, u32, &str)]) -> Diagnostic {
        let edit = |(start, end, text): &(u32, u32, &str)| Edit {
            span: Span {
                start: *start,
                end: *end,
            },
            text: (*text).to_owned(),
        };
        let fix = Fix {
            title: "Mend it".to_owned(),
            safe: true,
            edits: edits.iter().map(edit).collect(),
        };
        Diagnostic {
            fixes: vec![fix],
            ..fixture::finding(0, 0)
        }
    }

    #[track_caller]
    fn check(contents: &[u8], findings: &[&[(u32, u32, &str)]], expected: &[u8], fixes: usize) {
        let diagnostics: Vec<Diagnostic> = findings.iter().map(|edits| finding(edits)).collect();
        let (after, applied) = apply(contents, &diagnostics, Which::Safe).expect("something to apply");
        assert_eq!((after.as_slice(), applied.len()), (expected, fixes));
    }

    #[test]
    fn other_bytes_survive() {
        let contents = b"\xef\xbb\xbfa: b\r\nc: \xff\xfe";
        check(
            contents,
            &[&[(6, 7, "'b'")]],
            b"\xef\xbb\xbfa: 'b'\r\nc: \xff\xfe",
            1,
        );
    }

    #[test]
    fn the_first_by_place_wins() {
        check(b"abcdef", &[&[(2, 4, "X")], &[(0, 3, "Y")]], b"Ydef", 1);
        check(b"abcdef", &[&[(4, 5, "X")], &[(0, 3, "Y")]], b"YdXf", 2);
    }

    #[test]
    fn a_fix_is_applied_whole_or_not_at_all() {
        check(
            b"abcdef",
            &[&[(0, 1, "1"), (5, 6, "1")], &[(2, 3, "2"), (5, 6, "2")]],
            b"1bcde1",
            1,
        );
    }

    #[test]
    fn insertions_at_one_place_do_not_add_up() {
        check(b"ab", &[&[(1, 1, "-")], &[(1, 1, "-")]], b"a-b", 1);
    }

    #[test]
    fn what_lies_outside_is_passed_over() {
        for edit in [(5, 9, "x"), (3, 2, "x"), (0, 1, "a")] {
            let diagnostics = [finding(&[edit])];
            assert_eq!(apply(b"abcdef", &diagnostics, Which::All), None);
        }
    }

    #[test]
    fn unsafe_fixes_wait_to_be_asked_for() {
        let mut diagnostic = finding(&[(0, 1, "x")]);
        diagnostic.fixes[0].safe = false;
        let diagnostics = [diagnostic];
        assert_eq!(apply(b"ab", &diagnostics, Which::Safe), None);
        let applied = apply(b"ab", &diagnostics, Which::All).map(|(after, _)| after);
        assert_eq!(applied.as_deref(), Some(b"xb".as_slice()));
    }
}
