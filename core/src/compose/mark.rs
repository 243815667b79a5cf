//! The comment of a compiled file: its source, and a digest that tells whether the file was edited since.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use sha2::{Digest as _, Sha256};

use crate::dialect::Format;

const BEFORE: &str = "# Compiled by callsheet from ";
const BETWEEN: &str = "; edit that file [";
const AFTER: &str = "]";

/// How many bytes of the digest are written. It detects edits; it protects nothing.
const DIGEST: usize = 8;

/// The source that a compiled file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Relative to the project.
    pub(super) source: String,
    /// Whether the file is as it was compiled, apart from line ends.
    pub(super) is_intact: bool,
}

/// Whether a path can be named in a comment: a line end in it would end the comment.
pub(super) fn can_name(path: &str) -> bool {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}');
    !path.contains(breaks) && !path.contains(BETWEEN)
}

/// The text with the comment as the first line of its frontmatter, or of the TOML file.
pub(super) fn marked(text: &str, format: Format, source: &str) -> String {
    let at = match format {
        Format::Toml => 0,
        Format::Markdown => text.find('\n').map_or(0, |end| end + 1),
    };
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (before, after) = text.split_at(at);
    let digest = digest(&[before, after]);
    format!("{before}{BEFORE}{source}{BETWEEN}{digest}{AFTER}{newline}{after}")
}

/// The comment of a file, if it has one.
pub(super) fn mark(bytes: &[u8]) -> Option<Mark> {
    let text = core::str::from_utf8(bytes).ok()?;
    let start = if text.starts_with(BEFORE) {
        0
    } else {
        text.find('\n')? + 1
    };
    let (before, rest) = text.split_at(start);
    let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
    let line = line.trim_end_matches('\r').strip_prefix(BEFORE)?;
    let (source, written) = line.strip_suffix(AFTER)?.split_once(BETWEEN)?;
    Some(Mark {
        source: source.to_owned(),
        is_intact: digest(&[before, after]) == written,
    })
}

/// Of the text with LF, so that a checkout with other line ends is no edit.
fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        part.split("\r\n").enumerate().for_each(|(at, line)| {
            if at > 0 {
                hash.update("\n");
            }
            hash.update(line);
        });
    }
    let bytes = hash.finalize();
    bytes
        .iter()
        .take(DIGEST)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
