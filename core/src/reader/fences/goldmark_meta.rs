//! goldmark-meta: a first line of dashes opens, any line of dashes or the end closes. The body is found separately: after the first
//! line that is `---`, in a text that starts with it.

use alloc::borrow::Cow;

use super::parts::{Frontmatter, Split};

/// Whitespace, as goldmark defines it.
const BLANKS: [char; 6] = [' ', '\t', '\n', '\u{b}', '\u{c}', '\r'];

pub(super) fn split(text: &str) -> Split<'_> {
    Split {
        frontmatter: frontmatter(text),
        body: Cow::Borrowed(body(text)),
    }
}

fn frontmatter(text: &str) -> Frontmatter<'_> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let indent = first.len() - first.trim_start_matches(' ').len();
    if indent > 3 || !first[indent..].starts_with('-') || !is_separator(first) {
        return Frontmatter::None;
    }
    let mut end = first.len();
    for line in lines {
        if is_separator(line) && !line.trim_matches(BLANKS).is_empty() {
            break;
        }
        end += line.len();
    }
    Frontmatter::Yaml(Cow::Borrowed(&text[first.len()..end]))
}

fn is_separator(line: &str) -> bool {
    line.trim_matches(BLANKS).bytes().all(|byte| byte == b'-')
}

fn body(text: &str) -> &str {
    if !text.starts_with("---") {
        return text;
    }
    let mut at = 0;
    for (number, line) in text.split('\n').enumerate() {
        at += line.len() + 1;
        if number > 0 && line.trim() == "---" {
            return text.get(at..).unwrap_or_default();
        }
    }
    text
}
