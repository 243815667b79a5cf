//! Bytes to text: handles byte order marks and invalid UTF-8, and keeps each byte's place.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::limits::FILE_BYTES;
use crate::span::{Offset, Span};

/// The byte order mark, as UTF-8.
const BOM: &str = "\u{feff}";

/// The text of one file. Spans in the core count bytes of this text; [`Source::stored`] maps them to the file.
#[derive(Debug)]
pub struct Source<'bytes> {
    /// The text, a byte order mark included; each invalid sequence is one U+FFFD.
    pub text: Cow<'bytes, str>,
    /// Where invalid sequences were, in the text.
    pub invalid: Vec<Span>,
    /// After the text offset, this many bytes fewer in the file.
    shifts: Vec<(Offset, usize)>,
}

impl<'bytes> Source<'bytes> {
    /// Reads any bytes.
    pub fn new(bytes: &'bytes [u8]) -> Self {
        match core::str::from_utf8(bytes) {
            Ok(text) => Self {
                text: Cow::Borrowed(text),
                invalid: Vec::new(),
                shifts: Vec::new(),
            },
            Err(_) => Self::lossy(bytes),
        }
    }

    /// The part of a file that is read, cut between characters: a cut within one would look like invalid UTF-8.
    pub(crate) fn of_file(bytes: &'bytes [u8]) -> Self {
        let is_continuation = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
        let mut end = bytes.len().min(FILE_BYTES);
        while end > 0 && bytes.get(end).is_some_and(is_continuation) {
            end -= 1;
        }
        Self::new(&bytes[..end])
    }

    fn lossy(bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(bytes.len());
        let (mut invalid, mut shifts, mut shift) = (Vec::new(), Vec::new(), 0);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            if chunk.invalid().is_empty() {
                continue;
            }
            let start = text.len();
            text.push(char::REPLACEMENT_CHARACTER);
            invalid.push(Span::new(start, text.len()));
            shift += char::REPLACEMENT_CHARACTER.len_utf8() - chunk.invalid().len();
            shifts.push((Offset::new(text.len()), shift));
        }
        Self {
            text: Cow::Owned(text),
            invalid,
            shifts,
        }
    }

    /// The byte order mark, if there is one.
    pub fn byte_order_mark(&self) -> Option<Span> {
        self.text.starts_with(BOM).then(|| Span::new(0, BOM.len()))
    }

    /// All byte order marks at the start; more than one is a mistake of a program that adds them.
    pub(crate) fn byte_order_marks(&self) -> Span {
        Span::new(0, self.text.len() - self.text.trim_start_matches(BOM).len())
    }

    /// The span in the file as stored.
    pub fn stored(&self, span: Span) -> Span {
        Span::new(self.stored_offset(span.start), self.stored_offset(span.end))
    }

    fn stored_offset(&self, offset: Offset) -> usize {
        let passed = self.shifts.partition_point(|(after, _)| *after <= offset);
        let shift = passed.checked_sub(1).map_or(0, |last| self.shifts[last].1);
        offset.index() - shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_bytes_are_replaced_and_offsets_kept() {
        let bytes = b"a\xff\xfeb\xe2\x82c";
        let source = Source::new(bytes);
        assert_eq!(source.text, "a\u{fffd}\u{fffd}b\u{fffd}c");
        let c = source.text.find('c').expect("the text ends with c");
        assert_eq!(source.stored(Span::new(c, c + 1)), Span::new(6, 7));
        let b = source.text.find('b').expect("the text has a b");
        assert_eq!(source.stored(Span::new(b, b + 1)), Span::new(3, 4));
    }
}
