//! The proof of an edit: the new text says what the old one said, but for the keys that were meant.

use alloc::string::String;

use super::page::Page;
use crate::diagnostic::Edit;
use crate::source::Source;
use crate::yaml::{Entry, Kind, Node};

/// The text after some edits, which are sorted and do not overlap.
pub(super) fn edited(text: &str, edits: &[Edit]) -> String {
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        out.push_str(text.get(done..edit.span.start.index()).unwrap_or_default());
        out.push_str(&edit.text);
        done = edit.span.end.index();
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Whether all that is not `meant` stands in `after` as it stood in `before`.
pub(super) fn is_unchanged(before: &Page<'_>, after: &str, meant: &dyn Fn(&str) -> bool) -> bool {
    let source = Source::new(after.as_bytes());
    let Ok(after) = Page::open(&source) else {
        return false;
    };
    let is_other = |entry: &&Entry| !entry.key.as_text().is_some_and(meant);
    let mut others = after.entries.iter().filter(is_other);
    let same = before.entries.iter().filter(is_other).all(|old| {
        let new = others.next();
        new.is_some_and(|new| says_the_same(&old.key, &new.key) && says_the_same(&old.value, &new.value))
    });
    same && others.next().is_none() && before.body == after.body
}

/// Whether two values are the same, wherever they stand.
fn says_the_same(a: &Node, b: &Node) -> bool {
    let kinds = match (&a.kind, &b.kind) {
        (Kind::Sequence(a), Kind::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| says_the_same(a, b))
        }
        (Kind::Mapping(a), Kind::Mapping(b)) => {
            let same =
                |(a, b): (&Entry, &Entry)| says_the_same(&a.key, &b.key) && says_the_same(&a.value, &b.value);
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (a, b) => a == b,
    };
    kinds && a.tag == b.tag
}
