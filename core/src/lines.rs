//! Byte offsets to lines and columns.

use alloc::vec;
use alloc::vec::Vec;

use memchr::{memchr_iter, memchr2, memchr2_iter};

use crate::span::{Offset, Span};

/// A line and a column, both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Where the lines of one text start. LF, CRLF and CR each end a line.
#[derive(Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            if !bytes[at..].starts_with(b"\r\n") {
                starts.push(at + 1);
            }
        }
        Self { starts }
    }

    /// The position of an offset into the same text.
    pub fn position(&self, text: &str, offset: Offset) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset.index());
        let start = line.checked_sub(1).map_or(0, |last| self.starts[last]);
        let column = text
            .get(start..offset.index())
            .map_or(0, |before| before.chars().count());
        Position {
            line: u32::try_from(line.max(1)).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }
}

/// The lines of a text without their ends. A final line end does not start another line; an empty text has one line.
pub fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let bytes = text.as_bytes();
    let mut next = Some(0);
    core::iter::from_fn(move || {
        let start = next?;
        let rest = &bytes[start..];
        let Some(length) = memchr2(b'\n', b'\r', rest) else {
            next = None;
            return (start == 0 || !rest.is_empty()).then(|| Span::new(start, text.len()));
        };
        let ending = if rest[length..].starts_with(b"\r\n") { 2 } else { 1 };
        next = Some(start + length + ending);
        Some(Span::new(start, start + length))
    })
}

/// The first place of `word` in `part`. It searches for a character that is not a letter, since those are rarer; a search that is
/// prepared for long words would be slower and larger.
#[inline(never)]
pub(crate) fn find(text: &str, part: Span, word: &str) -> Option<Span> {
    let (text, word) = (part.of(text).as_bytes(), word.as_bytes());
    let rare = word
        .iter()
        .position(|byte| !byte.is_ascii_alphabetic())
        .unwrap_or(0);
    let mut candidates = memchr_iter(*word.get(rare)?, text).filter_map(|at| at.checked_sub(rare));
    let at = part.start.index() + candidates.find(|at| text[*at..].starts_with(word))?;
    Some(Span::new(at, at + word.len()))
}

/// Line ends in a regular expression of JavaScript.
pub(crate) fn ends_script_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_line_endings_are_recognized() {
        let text = "a\nb\r\nc\rd";
        let found: Vec<&str> = lines(text).map(|line| line.of(text)).collect();
        assert_eq!(found, ["a", "b", "c", "d"]);
    }

    #[test]
    fn columns_count_characters() {
        let text = "x\näöü: 1\n";
        let colon = text.find(':').expect("the text has a colon");
        let position = LineIndex::new(text).position(text, Offset::new(colon));
        assert_eq!((position.line, position.column), (2, 4));
    }
}
