//! Byte offsets and ranges. A newtype, so that bytes, characters and lines cannot be mixed up.

use core::ops::Range;

use serde::{Deserialize, Serialize};

/// A byte offset into one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Offset(u32);

impl Offset {
    /// The offset of a byte index. [`crate::limits::FILE_BYTES`] keeps every text far below `u32::MAX`.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The byte index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// As a number for the wire.
    pub fn get(self) -> u32 {
        self.0
    }
}

/// A half-open range of bytes. `start <= end`, both on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: Offset,
    /// One past the last byte.
    pub end: Offset,
}

impl Span {
    /// The span of a range of byte indices.
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start: Offset::new(start),
            end: Offset::new(end.max(start)),
        }
    }

    /// An empty span.
    pub fn at(index: usize) -> Self {
        Self::new(index, index)
    }

    /// As a range of byte indices.
    pub fn range(self) -> Range<usize> {
        self.start.index()..self.end.index()
    }

    /// The bytes of `text` that the span covers.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// The places of words in it, each behind the one before; all of it for a word that is not there.
    pub(crate) fn places<'w>(
        self,
        text: &str,
        words: impl Iterator<Item = &'w str>,
    ) -> impl Iterator<Item = (&'w str, Self)> {
        let mut from = self.start.index();
        words.map(move |word| {
            let at = Self::new(from, self.end.index()).of(text).find(word);
            let place = at.map(|at| Self::new(from + at, from + at + word.len()));
            from = place.map_or(from, |place| place.end.index());
            (word, place.unwrap_or(self))
        })
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both.
    pub fn to(self, end: Span) -> Self {
        Self {
            start: self.start.min(end.start),
            end: self.end.max(end.end),
        }
    }
}

/// A value with the place it was read from. Equality ignores the place.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it is.
    pub span: Span,
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_word_is_behind_the_one_before() {
        let text = "mail: send-mail mail é";
        let words = ["send-mail", "mail", "send", "é"];
        let places = Span::new(6, text.len()).places(text, words.into_iter());
        let places: Vec<_> = places.map(|(_, place)| place.range()).collect();
        assert_eq!(places, [6..15, 16..20, 6..text.len(), 21..23]);
    }
}
