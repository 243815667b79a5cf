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

/// Bytes between marks in a line: a column is counted from the last mark, not from the start of a line that may be a whole file.
const STRIDE: usize = 1024;

/// A place whose line and column are known, both from 0.
#[derive(Debug)]
struct Mark {
    at: usize,
    line: usize,
    column: usize,
}

/// Where the lines of one text start, and places within long ones. LF, CRLF and CR each end a line.
#[derive(Debug)]
pub struct LineIndex {
    marks: Vec<Mark>,
}

impl LineIndex {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut index = Self {
            marks: vec![Mark {
                at: 0,
                line: 0,
                column: 0,
            }],
        };
        let mut line = 0;
        for end in memchr2_iter(b'\n', b'\r', bytes) {
            if !bytes[end..].starts_with(b"\r\n") {
                index.divide(text, end);
                line += 1;
                index.marks.push(Mark {
                    at: end + 1,
                    line,
                    column: 0,
                });
            }
        }
        index.divide(text, text.len());
        index
    }

    /// Marks the rest of a line that ends there.
    fn divide(&mut self, text: &str, end: usize) {
        while let Some(&Mark { at, line, column }) = self.marks.last()
            && end - at > STRIDE
        {
            let next = text.floor_char_boundary(at + STRIDE);
            let column = column + text[at..next].chars().count();
            self.marks.push(Mark {
                at: next,
                line,
                column,
            });
        }
    }

    /// The position of an offset into the same text.
    pub fn position(&self, text: &str, offset: Offset) -> Position {
        let after = self.marks.partition_point(|mark| mark.at <= offset.index());
        let mark = &self.marks[after.saturating_sub(1)];
        let column = text
            .get(mark.at..offset.index())
            .map_or(0, |between| mark.column + between.chars().count());
        let number = |from_0: usize| u32::try_from(from_0 + 1).unwrap_or(u32::MAX);
        Position {
            line: number(mark.line),
            column: number(column),
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

/// The end of the first line; LF without one.
pub(crate) fn first_end(text: &str) -> &'static str {
    match text.find(['\r', '\n']) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}

/// Whether two prompts are the same but for the space around them and their kind of line ends.
pub(crate) fn have_same_lines(a: &str, b: &str) -> bool {
    a.trim().lines().eq(b.trim().lines())
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

    #[test]
    fn columns_of_long_lines_count_from_their_start() {
        let text = ["x\r\n", &"ä-€".repeat(STRIDE), "\nz"].concat();
        let index = LineIndex::new(&text);
        let (mut line, mut column) = (1, 1);
        for (at, character) in text.char_indices() {
            let position = index.position(&text, Offset::new(at));
            assert_eq!((position.line, position.column), (line, column));
            (line, column) = if character == '\n' {
                (line + 1, 1)
            } else {
                (line, column + 1)
            };
        }
        assert_eq!((line, column), (3, 2));
    }
}
