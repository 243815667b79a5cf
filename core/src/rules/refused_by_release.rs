//! A file that this release of the tool does not load, although its document says otherwise.
//!
//! Releases differ from their documents: in what their YAML takes, in what has to be there, in which values are good enough. What a
//! release makes of a file was measured; who asks for one, as in `--as kode@2.0.2`, is told which files it leaves out, and why.
//!
//! Change what the reason names, or use another release.

use alloc::format;

use crate::diagnostic::Finding;
use crate::reader::{Reader, read};
use crate::span::Span;
use crate::verdict::Outcome;

super::rule! {
    name: "refused-by-release",
    severity: Error,
    fix: None,
    evidence: "the releases themselves, run with thousands of files",
}

/// What keeps a file that the dialect would load from being loaded by a release of it.
pub(crate) fn find(path: &str, bytes: &[u8], reader: &Reader, at: Span) -> Option<Finding> {
    let outcome = match read(path, bytes, reader) {
        Ok(reading) => reading.outcome,
        Err(outcome) => outcome,
    };
    let (Outcome::Dropped(reason) | Outcome::Withheld(reason)) = outcome else {
        return None;
    };
    let message = format!("{} does not load this file: {reason}", reader.id);
    Some(Finding::new(&RULE, at, message).label("so there is no such agent"))
}
