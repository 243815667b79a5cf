//! Whitespace, as each language defines it.

use crate::dialect::edition::Blanks;

impl Blanks {
    /// Whether it is trimmed.
    pub(super) fn has(self, c: char) -> bool {
        match self {
            Self::None => false,
            Self::Unicode | Self::UnicodeAtStart => c.is_whitespace(),
            Self::EcmaScript => c == '\u{feff}' || c.is_whitespace() && c != '\u{85}',
            Self::Python => c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c),
        }
    }

    /// The text without whitespace at its ends, or only at its start.
    pub(super) fn trim(self, text: &str) -> &str {
        match self {
            Self::UnicodeAtStart => text.trim_start(),
            _ => text.trim_matches(|c| self.has(c)),
        }
    }
}

/// Line ends in a regular expression of JavaScript.
pub(super) fn ends_script_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}
