//! A safe fix removes its finding, and changes nothing else.

use callsheet_core::diagnostic::Diagnostic;
use callsheet_core::document::Parsed;

use super::edits::edited;

/// Applies every safe fix alone and reads again.
pub(super) fn check(bytes: &[u8], parsed: &Parsed, read: impl Fn(&[u8]) -> Parsed) {
    for found in &parsed.document.diagnostics {
        for fix in found.fixes.iter().filter(|fix| fix.safe) {
            let fixed = edited(bytes, &fix.edits);
            assert_ne!(fixed, bytes, "{}: the fix changes something", found.rule);
            let after = read(&fixed);
            let (before, after) = (count(parsed, found), count(&after, found));
            assert!(
                after < before,
                "{}: {:?} leaves the finding\n{}\n--- becomes\n{}",
                found.rule,
                fix.title,
                String::from_utf8_lossy(bytes),
                String::from_utf8_lossy(&fixed)
            );
        }
    }
}

fn count(parsed: &Parsed, like: &Diagnostic) -> usize {
    // A repaired file may show what no fix changes.
    let same = |other: &&Diagnostic| other.rule == like.rule && !other.fixes.is_empty();
    parsed.document.diagnostics.iter().filter(same).count()
}
