//! A file that the tool does not load, for a reason that no other rule names.
//!
//! Releases differ from their documents: in what their YAML takes, in what has to be there, in which values are good enough. What a
//! release makes of a file was measured by running it. Whether a file loads is decided by the newest measured release of its tool,
//! or by the one that is asked for, as in `--as kode@1.1.23`.
//!
//! Change what the reason names.

use alloc::format;

use crate::diagnostic::Finding;
use crate::reader::Reader;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "refused-by-release",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "the releases themselves, run with thousands of files",
}

/// A finding that names the reason of the release.
pub(crate) fn finding(reader: &Reader, reason: &str, at: Span) -> Finding {
    let message = format!("{} does not load this file: {reason}", reader.title);
    let label = if reader.fatal {
        "so it loads nothing of the project"
    } else {
        "so there is no such agent"
    };
    Finding::new(&RULE, at, message).label(label)
}
