//! The fixes as a unified diff.

use similar::{ChangeTag, TextDiff};

use super::cell::{clean, visible};
use super::look::Look;
use crate::report::FixedFile;

/// The changed lines with context. Empty for an unchanged file.
pub fn diff(look: &Look, file: &FixedFile) -> String {
    let diff = TextDiff::from_lines(file.before.as_slice(), file.after.as_slice());
    let mut out = String::new();
    for hunk in diff.unified_diff().iter_hunks() {
        out.push_str(&look.faint(hunk.header()));
        out.push('\n');
        for change in hunk.iter_changes() {
            out.push_str(&line(look, change.tag(), change.value()));
        }
    }
    if out.is_empty() {
        return out;
    }
    let path = clean(&file.path);
    let header = look.heading(format!("--- {path}\n+++ {path}"));
    format!("{header}\n{out}")
}

fn line(look: &Look, tag: ChangeTag, line: &[u8]) -> String {
    let body = line.strip_suffix(b"\n").unwrap_or(line);
    // A carriage return that ends a line is part of the change.
    let (body, ending) = match body.strip_suffix(b"\r") {
        Some(body) => (body, "\r"),
        None => (body, ""),
    };
    let shown: String = String::from_utf8_lossy(body)
        .chars()
        .map(|character| {
            if character == '\t' {
                '\t'
            } else {
                visible(character)
            }
        })
        .collect();
    let shown = match tag {
        ChangeTag::Equal => format!(" {shown}"),
        ChangeTag::Delete => look.bad(format!("-{shown}")),
        ChangeTag::Insert => look.good(format!("+{shown}")),
    };
    let unfinished = if line.ends_with(b"\n") {
        ""
    } else {
        "\n\\ No newline at end of file"
    };
    format!("{shown}{ending}{unfinished}\n")
}
