//! Edits of names and paths in a file, and whether nothing else changed.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memmem;

use crate::diagnostic::Edit;
use crate::dialect::Json;
use crate::document::Seen;
use crate::json;
use crate::order::sorted;
use crate::settings;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::{Entry, Kind, Node};

/// The edits of every link that is written so.
pub(super) fn linking(bytes: &[u8], written: &str, new: &str) -> Vec<Edit> {
    let opening = ["](", written].concat();
    let found = memmem::find_iter(bytes, &opening);
    let ends = |at: &usize| matches!(bytes.get(at + opening.len()), Some(b')' | b'#' | b' '));
    let edit = |at: usize| Edit {
        span: Span::new(at + "](".len(), at + opening.len()),
        text: new.to_owned(),
    };
    found.filter(ends).map(edit).collect()
}

/// The edit of a name within its place.
pub(super) fn within(bytes: &[u8], place: Span, written: &str, new: &str) -> Option<Edit> {
    let (start, end) = (place.start.index(), place.end.index());
    let at = start + memmem::find(bytes.get(start..end)?, written.as_bytes())?;
    Some(Edit {
        span: Span::new(at, at + written.len()),
        text: new.to_owned(),
    })
}

/// The edit of a JSON string that is a name or a path, but written with escapes: it is written again without them.
pub(super) fn unescaped(bytes: &[u8], place: Span, written: &str, new: &str) -> Option<Edit> {
    let text = core::str::from_utf8(bytes.get(place.start.index()..place.end.index())?).ok()?;
    let value = json::tree(text, Json::Strict).ok()?;
    let is_plain = |c: char| !c.is_control() && !matches!(c, '"' | '\\');
    let is_it = value.as_text() == Some(written) && new.chars().all(is_plain);
    is_it.then(|| Edit {
        span: place,
        text: ["\"", new, "\""].concat(),
    })
}

/// The contents after edits; of equal ones, one counts.
pub(super) fn applied(bytes: &[u8], edits: Vec<Edit>) -> Vec<u8> {
    let edits = sorted(edits, |a, b| a.span.start.cmp(&b.span.start));
    Edit::apply(bytes, &edits)
}

/// What a file's prompt names by the old name: what is written, and what it becomes.
#[derive(Default)]
pub(super) struct InPrompt {
    pub(super) links: Vec<(String, String)>,
    pub(super) names: Vec<(String, String)>,
}

impl InPrompt {
    /// The prompt with new links, and a mark in place of each old or new name.
    fn marked(&self, prompt: &[u8]) -> Vec<u8> {
        let edits = self.links.iter().flat_map(|(old, new)| linking(prompt, old, new));
        let mut prompt = applied(prompt, edits.collect());
        for (old, new) in &self.names {
            // One may be a part of the other.
            let (longer, shorter) = if old.len() > new.len() {
                (old, new)
            } else {
                (new, old)
            };
            for name in [longer, shorter] {
                let found = memmem::find_iter(&prompt, name);
                let edits = found.map(|at| Edit {
                    span: Span::new(at, at + name.len()),
                    text: "\0".to_owned(),
                });
                prompt = applied(&prompt, edits.collect());
            }
        }
        prompt
    }
}

/// Whether two readings of a file differ at most in names and tools, and in these places of the prompt.
pub(super) fn agree(before: &[Seen], after: &[Seen], changed: &InPrompt) -> bool {
    let prompts = |before: &[u8], after: &[u8]| changed.marked(before) == changed.marked(after);
    let same = |(before, after): (&Seen, &Seen)| match (&before.agent, &after.agent) {
        (Some(before), Some(after)) => {
            before.description == after.description
                && before.model == after.model
                && before.color == after.color
                && prompts(&before.prompt, &after.prompt)
        }
        (before, after) => before.is_none() && after.is_none(),
    };
    before.len() == after.len() && before.iter().zip(after).all(same)
}

/// Whether settings differ only in the texts that were changed. Of other texts, only paths were.
pub(super) fn is_alike(path: &str, before: &[u8], after: &[u8], changed: &BTreeSet<usize>) -> bool {
    if settings::format(path).is_none() {
        return true;
    }
    let (before, after) = (Source::new(before), Source::new(after));
    let trees = [&before, &after].map(|source| settings::read(path, source, Json::Lenient).ok());
    let [Some(old), Some(new)] = trees else {
        return false;
    };
    same(&old, &new, &|span| {
        let stored = before.stored(span);
        changed.range(stored.range()).next().is_some()
    })
}

/// Whether two values differ only in texts that are meant to.
fn same(old: &Node, new: &Node, is_meant: &dyn Fn(Span) -> bool) -> bool {
    let all = |old: &[Node], new: &[Node]| {
        let pairs = old.iter().zip(new);
        old.len() == new.len() && pairs.into_iter().all(|(old, new)| same(old, new, is_meant))
    };
    match (&old.kind, &new.kind) {
        (
            Kind::Scalar { text, style },
            Kind::Scalar {
                text: other,
                style: its,
            },
        ) => style == its && (text == other || is_meant(old.span)),
        (Kind::Sequence(old), Kind::Sequence(new)) => all(old, new),
        (Kind::Mapping(old), Kind::Mapping(new)) => {
            let mut pairs = old.iter().zip(new);
            let is_same = |(old, new): (&Entry, &Entry)| {
                same(&old.key, &new.key, is_meant) && same(&old.value, &new.value, is_meant)
            };
            old.len() == new.len() && pairs.all(is_same)
        }
        _ => false,
    }
}
