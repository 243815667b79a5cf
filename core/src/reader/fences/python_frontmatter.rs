//! python-frontmatter: three or more dashes alone on a line open and close, and whitespace around the whole text is ignored. A text that
//! starts with `{` is JSON.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;

use super::parts::{Frontmatter, Split};
use crate::dialect::edition::Blanks;

pub(super) fn split(text: &str) -> Split<'_> {
    if text.contains('\r') {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        return owned(&text);
    }
    let text = Blanks::Python.trim(text);
    let (frontmatter, body) = parts(text);
    Split {
        frontmatter,
        body: Cow::Borrowed(body),
    }
}

fn owned(text: &str) -> Split<'static> {
    let (frontmatter, body) = parts(Blanks::Python.trim(text));
    Split {
        frontmatter: match frontmatter {
            Frontmatter::Yaml(yaml) => Frontmatter::Yaml(Cow::Owned(yaml.into_owned())),
            Frontmatter::Json(json) => Frontmatter::Json(Cow::Owned(json.into_owned())),
            _ => Frontmatter::None,
        },
        body: Cow::Owned(body.to_owned()),
    }
}

fn parts(text: &str) -> (Frontmatter<'_>, &str) {
    let first = text.split('\n').next().unwrap_or_default();
    let found = if is_dashes(first) {
        between(text, is_dashes).map(|(yaml, body)| (Frontmatter::Yaml(Cow::Borrowed(yaml)), body))
    } else if is_brace(first) {
        between(text, is_brace).map(|(json, body)| {
            let json: String = format!("{{{json}}}");
            (Frontmatter::Json(Cow::Owned(json)), body)
        })
    } else {
        None
    };
    found.unwrap_or((Frontmatter::None, text))
}

/// The text between the first two boundaries, and the text after them.
fn between(text: &str, is_boundary: fn(&str) -> bool) -> Option<(&str, &str)> {
    let mut at = 0;
    let mut inside = None;
    for line in text.split('\n') {
        let end = at + line.len();
        if is_boundary(line) {
            match inside {
                None => inside = Some(end + blank_lines(&text[end..])),
                Some(inside) => return Some((&text[inside..at], &text[end..])),
            }
        }
        at = end + 1;
    }
    None
}

/// The length of the empty lines that a boundary includes, without the last line end.
fn blank_lines(rest: &str) -> usize {
    let blanks = rest.len() - rest.trim_start_matches(|c| Blanks::Python.has(c)).len();
    rest[..blanks].rfind('\n').unwrap_or_default()
}

fn is_dashes(line: &str) -> bool {
    let line = line.trim_end_matches(|c| Blanks::Python.has(c));
    line.len() >= 3 && line.bytes().all(|byte| byte == b'-')
}

fn is_brace(line: &str) -> bool {
    matches!(line, "{" | "}")
}
