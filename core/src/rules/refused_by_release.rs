//! A file that the tool does not load, for a reason that no other rule covers.
//!
//! Releases differ from their documentation: in the YAML they accept, the fields they require, and the values they allow. Each release
//! was measured by running it. Whether a file loads is decided by the newest measured release of its tool, or by the requested one, as
//! in `--as kode@1.1.23`.
//!
//! Fix what the message names.

use alloc::format;

use crate::diagnostic::Finding;
use crate::dialect::Verdict;
use crate::reader::Reader;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "refused-by-release",
    severity: Error,
    fix: None,
    found: reading,
    evidence: "the releases themselves, run with thousands of files",
}

/// A finding with the release's reason. If the file is fatal, nothing of the project loads.
pub(crate) fn finding(reader: &Reader, reason: &str, at: Span, is_fatal: bool) -> Finding {
    let message = format!("{} does not load this file: {reason}", reader.title);
    let label = if is_fatal {
        "it loads nothing of the project"
    } else {
        Verdict::Dropped.consequence(reader.kind)
    };
    Finding::new(&RULE, at, message).label(label)
}
