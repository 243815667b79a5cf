//! A file as an excerpt shows it.

use super::cell::visible;

/// Lossy UTF-8 without byte order mark, every line end LF, nothing that a terminal might obey; and where each byte went.
pub(super) struct SourceText {
    text: String,
    /// Offsets in the file and in the text from which on both count alike, ascending.
    anchors: Vec<(usize, usize)>,
}

impl SourceText {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let mut source = Self {
            text: String::with_capacity(bytes.len()),
            anchors: vec![(0, 0)],
        };
        let body = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let mut stored = bytes.len() - body.len();
        source.anchor(stored);
        for chunk in body.utf8_chunks() {
            let mut characters = chunk.valid().chars().peekable();
            while let Some(character) = characters.next() {
                stored += character.len_utf8();
                source.push(character, characters.peek() == Some(&'\n'), stored);
            }
            if !chunk.invalid().is_empty() {
                stored += chunk.invalid().len();
                source.text.push(char::REPLACEMENT_CHARACTER);
                source.anchor(stored);
            }
        }
        source
    }

    pub(super) fn text(&self) -> &str {
        &self.text
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
            '\n' | '\t' => self.text.push(character),
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

#[cfg(test)]
mod tests {
    use super::SourceText;

    #[test]
    fn every_byte_is_found_again() {
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
