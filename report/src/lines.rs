//! Lines and columns of offsets.

use std::cell::Cell;

/// The lines of a file. LF, CRLF and CR each end one.
pub struct Lines<'a> {
    bytes: &'a [u8],
    /// What a character counts in a column.
    units: fn(char) -> usize,
    /// The offset of each line.
    starts: Vec<usize>,
    /// The last offset and its column: mostly the next one follows in the same line, which may be the whole file.
    last: Cell<(usize, usize)>,
}

impl<'a> Lines<'a> {
    /// `units` is what a character counts in a column.
    pub fn new(bytes: &'a [u8], units: fn(char) -> usize) -> Self {
        let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Self {
            bytes,
            units,
            starts: [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect(),
            last: Cell::default(),
        }
    }

    /// The offset of a line, counted from 0.
    pub fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line).copied()
    }

    /// The line and the column of an offset, counted from 0; those of the end for one beyond it.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.bytes.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        let (from, before) = match self.last.get() {
            known if (start..=offset).contains(&known.0) => known,
            _ => (start, 0),
        };
        // An invalid UTF-8 sequence is a replacement character in an editor.
        let text = String::from_utf8_lossy(&self.bytes[from..offset]);
        let column = before + text.chars().map(self.units).sum::<usize>();
        // Within a character, the rest of it would count again.
        if self.bytes.get(offset).is_none_or(|byte| byte & 0xC0 != 0x80) {
            self.last.set((offset, column));
        }
        (line, column)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn all_line_endings_are_recognized() {
        let lines = Lines::new(b"a\nb\r\nc\rd\xff\xc3\xa9e", |_| 1);
        let offsets = [0, 2, 5, 7, 9, 11, 99];
        let places = [(0, 0), (1, 0), (2, 0), (3, 0), (3, 2), (3, 3), (3, 4)];
        assert_eq!(offsets.map(|offset| lines.place(offset)), places);
        for (offset, place) in offsets.into_iter().zip(places).rev() {
            assert_eq!(lines.place(offset), place, "{offset}");
        }
    }

    #[test]
    fn no_character_counts_twice() {
        let lines = Lines::new("é\u{1f600}x".as_bytes(), char::len_utf16);
        assert_eq!(
            [0, 1, 2, 4, 6, 7].map(|offset| lines.place(offset).1),
            [0, 1, 1, 2, 3, 4]
        );
    }
}
