//! Limits the length of results.

use super::limits::RESULT_BYTES;

/// The byte order mark of some text files, which is not part of the text.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Whether these contents are binary.
pub(super) fn is_binary(contents: &[u8]) -> bool {
    contents.contains(&0)
}

/// A line, cut to this number of characters.
pub(super) fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}… [{} more bytes]", &line[..end], line.len() - end),
        None => line.to_owned(),
    }
}

/// The start of a text, with a notice if it was cut.
pub(super) fn head(mut text: String) -> String {
    if text.len() > RESULT_BYTES {
        let more = text.len() - RESULT_BYTES;
        text.truncate(text.floor_char_boundary(RESULT_BYTES));
        text.push_str(&format!("\n[{more} more bytes are not shown]"));
    }
    text
}

/// Lines of a result, up to a limit.
pub(super) struct Lines {
    text: String,
    most: usize,
    shown: usize,
}

impl Lines {
    pub(super) fn new(most: usize) -> Self {
        Self {
            text: String::new(),
            most,
            shown: 0,
        }
    }

    /// Adds a line, unless the limit is reached.
    pub(super) fn push(&mut self, line: &str) -> bool {
        let fits = self.shown < self.most && self.text.len() + line.len() < RESULT_BYTES;
        if fits {
            self.text.push_str(line);
            self.text.push('\n');
            self.shown += 1;
        }
        fits
    }

    /// The lines; `none` if there are none, and a notice if some did not fit.
    pub(super) fn finish(mut self, none: &str, notice: Option<&str>) -> String {
        if self.shown == 0 {
            self.text.push_str(none);
            self.text.push('\n');
        }
        if let Some(notice) = notice {
            self.text.push_str(&format!("[{notice}]\n"));
        }
        self.text.pop();
        self.text
    }
}
