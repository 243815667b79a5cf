//! Positions of the protocol, which count lines and code units.

use callsheet_report::lines as report;
use gen_lsp_types::{Position, Range};

/// What the columns of positions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Encoding {
    Utf8,
    Utf32,
    Utf16,
}

impl Encoding {
    const ALL: [Self; 3] = [Self::Utf8, Self::Utf32, Self::Utf16];

    /// The cheapest one that the client offers. UTF-16 is the default of the protocol.
    pub(super) fn best<'a>(offered: impl Iterator<Item = &'a str>) -> Self {
        let known = offered.filter_map(|name| Self::ALL.into_iter().find(|known| known.name() == name));
        known.min().unwrap_or(Self::Utf16)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf32 => "utf-32",
            Self::Utf16 => "utf-16",
        }
    }

    /// What a character counts.
    fn units(self) -> fn(char) -> usize {
        match self {
            Self::Utf8 => char::len_utf8,
            Self::Utf16 => char::len_utf16,
            Self::Utf32 => |_| 1,
        }
    }
}

/// The lines of a file.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    units: fn(char) -> usize,
    lines: report::Lines<'a>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8], encoding: Encoding) -> Self {
        let units = encoding.units();
        Self {
            bytes,
            units,
            lines: report::Lines::new(bytes, units),
        }
    }

    /// The position of an offset; the end of the file for one beyond it.
    pub(super) fn position(&self, offset: usize) -> Position {
        let (line, character) = self.lines.place(offset);
        Position {
            line: number(line),
            character: number(character),
        }
    }

    /// The offset of a position. A position beyond its line means the line's end, one beyond the last line the end of the file.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(start) = self.lines.start(line) else {
            return self.bytes.len();
        };
        let rest = &self.bytes[start..];
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let text = &rest[..end.unwrap_or(rest.len())];
        let mut left = usize::try_from(position.character).unwrap_or(usize::MAX);
        let mut offset = start;
        for chunk in text.utf8_chunks() {
            for char in chunk.valid().chars() {
                let units = (self.units)(char);
                if left < units {
                    return offset;
                }
                left -= units;
                offset += char.len_utf8();
            }
            if !chunk.invalid().is_empty() {
                let units = (self.units)(char::REPLACEMENT_CHARACTER);
                if left < units {
                    return offset;
                }
                left -= units;
                offset += chunk.invalid().len();
            }
        }
        offset
    }

    pub(super) fn range(&self, span: std::ops::Range<usize>) -> Range {
        Range {
            start: self.position(span.start),
            end: self.position(span.end),
        }
    }

    pub(super) fn span(&self, range: Range) -> std::ops::Range<usize> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        start.min(end)..end.max(start)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Lines};
    use gen_lsp_types::Position;

    #[test]
    fn columns_count_code_units() {
        let text = "a\u{e9}\u{1f600}b\r\n\rc";
        let at = |encoding, offset| {
            let position = Lines::new(text.as_bytes(), encoding).position(offset);
            (position.line, position.character)
        };
        assert_eq!(at(Encoding::Utf8, 7), (0, 7));
        assert_eq!(at(Encoding::Utf16, 7), (0, 4));
        assert_eq!(at(Encoding::Utf32, 7), (0, 3));
        assert_eq!(at(Encoding::Utf16, 10), (1, 0));
        assert_eq!(at(Encoding::Utf16, 11), (2, 0));
        assert_eq!(at(Encoding::Utf16, 99), (2, 1));
    }

    #[test]
    fn positions_outside_of_the_text_are_moved_into_it() {
        let text = "a\u{1f600}\r\nb";
        let lines = Lines::new(text.as_bytes(), Encoding::Utf16);
        let at = |line, character| lines.offset(Position { line, character });
        assert_eq!([at(0, 0), at(0, 1), at(0, 2), at(0, 3)], [0, 1, 1, 5]);
        assert_eq!([at(0, 99), at(1, 1), at(1, 99), at(9, 0)], [5, 8, 8, 8]);
    }

    #[test]
    fn every_offset_of_a_character_is_found_again() {
        let text = b"x\xff\xc3\xa9\ny\r\xf0\x9f\x98\x80";
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let lines = Lines::new(text, encoding);
            for offset in [0, 1, 2, 4, 5, 6, 7, 11] {
                assert_eq!(lines.offset(lines.position(offset)), offset, "{encoding:?}");
            }
        }
    }
}
