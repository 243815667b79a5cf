//! Where a definition's name is.

use alloc::borrow::ToOwned;

use crate::diagnostic::Place;
use crate::lines::{LineIndex, Position};
use crate::source::Source;
use crate::span::Span;

/// Where a definition's name is, or the closest place to it.
#[derive(Clone, Copy, Debug)]
pub struct Anchor {
    span: Span,
    start: Position,
    end: Position,
}

impl Anchor {
    pub(crate) fn new(source: &Source<'_>, span: Span) -> Self {
        // Only the text before the name is read, to avoid finding every line of the file.
        let before = &source.text[..span.end.index()];
        let lines = LineIndex::new(before);
        Self {
            span: source.stored(span),
            start: lines.position(before, span.start),
            end: lines.position(before, span.end),
        }
    }

    /// As a place in a file.
    pub fn in_file(&self, path: &str) -> Place {
        Place {
            path: path.to_owned(),
            span: self.span,
            start: self.start,
            end: self.end,
        }
    }
}

impl Default for Anchor {
    fn default() -> Self {
        let beginning = Place::beginning("");
        Self {
            span: beginning.span,
            start: beginning.start,
            end: beginning.end,
        }
    }
}
