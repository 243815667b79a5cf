//! Edits of bytes.

use callsheet_core::diagnostic::Edit;

/// The bytes with only these edits made.
pub fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let (mut out, mut done) = (Vec::with_capacity(bytes.len()), 0);
    for edit in edits {
        let range = edit.span.range();
        assert!(
            range.start >= done,
            "edits are sorted and do not overlap: {edits:?}"
        );
        out.extend(&bytes[done..range.start]);
        out.extend(edit.text.bytes());
        done = range.end;
    }
    out.extend(&bytes[done..]);
    out
}
