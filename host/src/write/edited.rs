//! Applies edits.

use crate::types::Edit;

/// The contents after some edits, which are sorted and do not overlap, as `revise` and `suppress` give them.
pub fn edited(contents: &[u8], edits: &[Edit]) -> Vec<u8> {
    let (mut out, mut done) = (Vec::with_capacity(contents.len()), 0);
    for edit in edits {
        out.extend_from_slice(&contents[done..edit.span.start as usize]);
        out.extend_from_slice(edit.text.as_bytes());
        done = edit.span.end as usize;
    }
    out.extend_from_slice(&contents[done..]);
    out
}
