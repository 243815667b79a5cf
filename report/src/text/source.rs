//! A file as shown in an excerpt.

use std::ops::Range;

use super::cell::visible;

/// More bytes than a terminal shows in a line. Of longer lines only this much beside a place is shown, since drawing a line takes time
/// for all of it.
pub(super) const REACH: usize = 4096;

/// Lossy UTF-8 without byte order mark and control characters, with LF line ends; and a mapping of each byte.
pub(super) struct SourceText {
    text: String,
    /// Where each line starts.
    starts: Vec<usize>,
    /// Offsets in the file and in the text where they change relative to each other, ascending.
    anchors: Vec<(usize, usize)>,
}

/// Some of its lines.
pub(super) struct Lines<'a> {
    pub(super) text: &'a str,
    /// The number of the first.
    pub(super) number: usize,
    /// Whether the first one is only a part of a long line.
    pub(super) is_part: bool,
    start: usize,
}

impl Lines<'_> {
    /// Maps a place of the whole text to this part.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        range.start - self.start..range.end - self.start
    }
}

impl SourceText {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut source = Self {
            text: String::with_capacity(bytes.len()),
            starts: vec![0],
            anchors: vec![(0, 0)],
        };
        let body = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut stored = bytes.len() - body.len();
        source.anchor(stored);
        for chunk in body.utf8_chunks() {
            let mut rest = chunk.valid();
            while let Some(at) = rest.bytes().position(is_rare) {
                let character = rest[at..].chars().next().expect("a byte that is rare begins one");
                let after = at + character.len_utf8();
                source.text.push_str(&rest[..at]);
                stored += after;
                rest = &rest[after..];
                source.push(character, rest.starts_with('\n'), stored);
            }
            source.text.push_str(rest);
            stored += rest.len();
            if !chunk.invalid().is_empty() {
                stored += chunk.invalid().len();
                source.text.push(char::REPLACEMENT_CHARACTER);
                source.anchor(stored);
            }
        }
        let ends = source.text.match_indices('\n').map(|(at, _)| at + 1);
        source.starts.extend(ends);
        source
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The lines of all these places, and the one before: a place at the end of the text is shown after its last line.
    pub(super) fn lines(&self, places: &[Range<usize>]) -> Lines<'_> {
        let first = places.iter().map(|place| place.start).min().unwrap_or(0);
        let last = places.iter().map(|place| place.end).max().unwrap_or(0);
        let before = self.starts[self.line(first).saturating_sub(1)];
        let within = self.text.floor_char_boundary(first.saturating_sub(REACH));
        let start = before.max(within);
        let end = self.end(last).min(self.text.ceil_char_boundary(last + REACH));
        Lines {
            text: &self.text[start..end],
            number: 1 + self.line(start),
            is_part: self.starts[self.line(first)] < within,
            start,
        }
    }

    /// The line of a place, from 0.
    fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    /// Where the line of a place ends, behind its line feed.
    fn end(&self, at: usize) -> usize {
        let next = self.starts.get(self.line(at) + 1);
        next.copied().unwrap_or(self.text.len())
    }

    /// The whole lines of a place, with their line feeds.
    pub(super) fn around(&self, place: Range<usize>) -> impl Iterator<Item = &str> {
        let lines = self.line(place.start)..=self.line(place.end);
        lines.map(|line| &self.text[self.starts[line]..self.end(self.starts[line])])
    }

    /// Where a byte of the file is in the text; always on a character boundary.
    pub(super) fn offset(&self, stored: u32) -> usize {
        let stored = stored as usize;
        let next = self.anchors.partition_point(|anchor| anchor.0 <= stored);
        let (from, to) = self.anchors[next - 1];
        let end = self.anchors.get(next).map_or(self.text.len(), |anchor| anchor.1);
        self.text.floor_char_boundary((to + stored - from).min(end))
    }

    fn push(&mut self, character: char, line_feed_follows: bool, stored: usize) {
        match character {
            '\r' if line_feed_follows => self.anchor(stored),
            '\r' => self.text.push('\n'),
            _ => {
                let shown = visible(character);
                self.text.push(shown);
                if shown.len_utf8() != character.len_utf8() {
                    self.anchor(stored);
                }
            }
        }
    }

    fn anchor(&mut self, stored: usize) {
        self.anchors.push((stored, self.text.len()));
    }
}

/// Whether a character starting with this byte may be replaced: the rest is copied at once.
fn is_rare(byte: u8) -> bool {
    !matches!(byte, b'\n' | b'\t' | b' '..=b'~')
}

#[cfg(test)]
mod tests {
    use super::SourceText;

    #[test]
    fn every_byte_has_an_offset() {
        let source = SourceText::new(b"\xef\xbb\xbfa\r\nb\rc\x1bd\xffe\n");
        assert_eq!(source.text(), "a\nb\nc␛d\u{fffd}e\n");
        let character = |stored| source.text()[source.offset(stored)..].chars().next();
        let found: Vec<_> = [3, 5, 6, 7, 8, 9, 10, 11, 12, 13].map(character).to_vec();
        let expected = ['a', '\n', 'b', '\n', 'c', '␛', 'd', '\u{fffd}', 'e', '\n']
            .map(Some)
            .to_vec();
        assert_eq!(found, expected);
        assert_eq!(source.offset(99), source.text().len());
    }
}
