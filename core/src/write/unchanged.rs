//! Verifies an edit: the new text means the same as the old one, except for the changed keys.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::EditError;
use super::page::Page;
use crate::diagnostic::Edit;
use crate::lines::have_same_lines;
use crate::order;
use crate::source::Source;
use crate::yaml::{Entry, Kind, Node};

/// A change would also change another value.
pub(super) fn entangled() -> EditError {
    let reason = "its values depend on each other, so one cannot be changed alone";
    EditError::Unreadable(reason.to_owned())
}

/// The edits in order, with adjacent ones merged.
pub(super) fn joined(edits: Vec<Edit>) -> Vec<Edit> {
    let sorted = order::sorted(edits, |a, b| {
        (a.span.start, a.span.end).cmp(&(b.span.start, b.span.end))
    });
    let mut joined: Vec<Edit> = Vec::new();
    for edit in sorted {
        match joined.last_mut() {
            Some(last) if last.span.end == edit.span.start => {
                last.span.end = edit.span.end;
                last.text.push_str(&edit.text);
            }
            _ => joined.push(edit),
        }
    }
    joined
}

/// The text after some edits, which are sorted and do not overlap.
pub(super) fn edited(text: &str, edits: &[Edit]) -> String {
    String::from_utf8_lossy(&Edit::apply(text.as_bytes(), edits)).into_owned()
}

/// Whether everything that is not `meant` is the same in `after` as in `before`; a new prompt makes the body meant.
pub(super) fn is_unchanged(
    before: &Page<'_>,
    after: &str,
    meant: &dyn Fn(&str) -> bool,
    prompt: Option<&str>,
) -> bool {
    let source = Source::new(after.as_bytes());
    let Ok(after) = Page::open(&source) else {
        return false;
    };
    let (old, new) = (before.body.of(before.text), after.body.of(after.text));
    let body = match prompt {
        None => old == new,
        Some(prompt) => have_same_lines(new, prompt),
    };
    body && are_unchanged(&before.entries, &after.entries, meant)
}

/// Whether all entries that are not `meant` are the same, in the same order.
pub(super) fn are_unchanged(before: &[Entry], after: &[Entry], meant: &dyn Fn(&str) -> bool) -> bool {
    let is_other = |entry: &&Entry| !entry.key.as_text().is_some_and(meant);
    let mut others = after.iter().filter(is_other);
    let same = before.iter().filter(is_other).all(|old| {
        let new = others.next();
        new.is_some_and(|new| says_the_same(&old.key, &new.key) && says_the_same(&old.value, &new.value))
    });
    same && others.next().is_none()
}

/// Whether two values are the same, in any place.
pub(crate) fn says_the_same(a: &Node, b: &Node) -> bool {
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
