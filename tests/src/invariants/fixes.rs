//! A safe fix removes its finding, and touches nothing else.

use callsheet_core::diagnostic::{Diagnostic, Fix};
use callsheet_core::document::Parsed;

/// Applies every safe fix on its own and reads again.
pub(super) fn mend(bytes: &[u8], parsed: &Parsed, read: impl Fn(&[u8]) -> Parsed) {
    for found in &parsed.document.diagnostics {
        for fix in found.fixes.iter().filter(|fix| fix.safe) {
            let mended = apply(bytes, fix);
            assert_ne!(mended, bytes, "{}: the fix changes something", found.rule);
            let after = read(&mended);
            let (before, after) = (count(parsed, found), count(&after, found));
            assert!(
                after < before,
                "{}: {:?} leaves the finding\n{}\n--- becomes\n{}",
                found.rule,
                fix.title,
                String::from_utf8_lossy(bytes),
                String::from_utf8_lossy(&mended)
            );
        }
    }
}

fn count(parsed: &Parsed, like: &Diagnostic) -> usize {
    let same = |other: &&Diagnostic| other.rule == like.rule;
    parsed.document.diagnostics.iter().filter(same).count()
}

/// The bytes with the edits made, and no others.
fn apply(bytes: &[u8], fix: &Fix) -> Vec<u8> {
    let (mut out, mut done) = (Vec::with_capacity(bytes.len()), 0);
    for edit in &fix.edits {
        let range = edit.span.range();
        assert!(
            range.start >= done,
            "edits are sorted and do not overlap: {:?}",
            fix.edits
        );
        out.extend(&bytes[done..range.start]);
        out.extend(edit.text.bytes());
        done = range.end;
    }
    out.extend(&bytes[done..]);
    out
}
