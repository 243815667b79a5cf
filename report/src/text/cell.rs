//! Text from files, prepared for a terminal: cleaned, measured, cut and wrapped.

use unicode_width::UnicodeWidthChar;

/// The text on one line: whitespace becomes single spaces, and control characters become visible.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        if is_plain(word) {
            out.push_str(word)
        } else {
            out.extend(word.chars().map(visible))
        }
    }
    out
}

/// The text with its lines and tabs, but without control characters.
pub fn clean_lines(text: &str) -> String {
    let unix = text.replace("\r\n", "\n").replace('\r', "\n");
    unix.chars()
        .map(|character| {
            if matches!(character, '\n' | '\t') {
                character
            } else {
                visible(character)
            }
        })
        .collect()
}

/// The part of the text that a cell of this width can need: descriptions can be very long.
pub(super) fn brief(text: &str, columns: usize) -> String {
    const LONGEST_CHARACTER: usize = 8;
    clean(&text[..text.floor_char_boundary(columns.saturating_mul(LONGEST_CHARACTER))])
}

/// The width of the text in columns.
pub(super) fn width(text: &str) -> usize {
    if is_plain(text) {
        text.len()
    } else {
        text.chars().map(char_width).sum()
    }
}

/// Whether each character takes one column and is printable, the usual case.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The text, cut to fit; `…` replaces the rest.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let kept: String = fitting(text.chars(), columns.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// The same, but cut at the start.
pub(super) fn cut_front(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let kept: Vec<char> = fitting(text.chars().rev(), columns.saturating_sub(1)).collect();
    format!("…{}", kept.iter().rev().collect::<String>().trim_start())
}

fn fitting(characters: impl Iterator<Item = char>, columns: usize) -> impl Iterator<Item = char> {
    let mut taken = 0;
    characters.take_while(move |character| {
        taken += char_width(*character);
        taken <= columns
    })
}

/// The text in lines that fit, broken at spaces, and within a word only if it is wider than a line.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    text.split('\n')
        .flat_map(|line| wrap_line(line, columns.max(1)))
        .collect()
}

fn wrap_line(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        for piece in pieces(word, columns) {
            let line = lines.last_mut().expect("there is always a line");
            if line.is_empty() {
                line.push_str(&piece);
            } else if width(line) + 1 + width(&piece) <= columns {
                line.push(' ');
                line.push_str(&piece);
            } else {
                lines.push(piece);
            }
        }
    }
    lines
}

fn pieces(word: &str, columns: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in word.chars() {
        let piece = pieces.last_mut().expect("there is always a piece");
        if width(piece) + char_width(character) > columns && !piece.is_empty() {
            pieces.push(character.to_string());
        } else {
            piece.push(character);
        }
    }
    pieces
}

fn char_width(character: char) -> usize {
    match character {
        // As excerpts show it.
        '\t' => 4,
        character => character.width().unwrap_or(0),
    }
}

/// A control character as its picture, and one that reorders text as a replacement character.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\0'..='\x1f' => {
            char::from_u32(0x2400 + u32::from(character)).expect("the pictures have the same order")
        }
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::{clean, cut, cut_front, width, wrap};

    #[test]
    fn removes_control_sequences() {
        assert_eq!(
            clean("a\n  b\t\x1b[31mred\u{9b}31m\u{202e}"),
            "a b ␛[31mred\u{fffd}31m\u{fffd}"
        );
    }

    #[test]
    fn cuts_by_columns_instead_of_characters() {
        assert_eq!(cut("日本語の説明", 7), "日本語…");
        assert_eq!(width(&cut("日本語の説明", 6)), 5);
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("one two", 5), "one…");
        assert_eq!(cut_front("~/.claude/agents/a.md", 10), "…ents/a.md");
    }

    #[test]
    fn wraps_at_spaces_and_breaks_only_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
    }
}
