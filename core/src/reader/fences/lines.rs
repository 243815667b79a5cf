//! Lines that are `---`: the first of the file opens, the next closes. Line ends become LF from then on.

use alloc::borrow::{Cow, ToOwned};

use super::parts::{Frontmatter, Split};

/// The opening fence has nothing around it, the closing one may have whitespace.
pub(super) fn split(text: &str) -> Split<'_> {
    fenced(text, "---", |line| line.trim() == "---")
}

fn fenced<'text>(text: &'text str, opening: &str, closes: fn(&str) -> bool) -> Split<'text> {
    let refused = |reason: &str| Split {
        frontmatter: Frontmatter::Refused(reason.to_owned()),
        body: Cow::Borrowed(""),
    };
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if unended(first) != opening {
        return refused("Missing YAML frontmatter");
    }
    let mut at = first.len();
    for line in lines {
        if closes(line) {
            let yaml = unended(&text[first.len()..at]);
            return Split {
                frontmatter: Frontmatter::Yaml(unix(yaml)),
                body: unix(&text[at + line.len()..]),
            };
        }
        at += line.len();
    }
    refused("Unclosed YAML frontmatter")
}

/// Both fences may have trailing whitespace, and frontmatter is required. A byte order mark is ignored.
pub(super) fn trimmed(text: &str) -> Split<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.split('\n').next().unwrap_or_default();
    let opening = if first.trim_end() == "---" {
        unended(first)
    } else {
        "---"
    };
    fenced(text, opening, |line| line.trim_end() == "---")
}

/// Both fences may have whitespace around them, and something must be between them.
pub(super) fn spaced(text: &str) -> Split<'_> {
    let first = text.split('\n').next().unwrap_or_default();
    let opening = match first.trim() {
        "---" => unended(first),
        _ => "---",
    };
    let split = fenced(text, opening, |line| line.trim() == "---");
    match &split.frontmatter {
        Frontmatter::Yaml(yaml) if yaml.is_empty() => missing(),
        Frontmatter::Refused(_) => missing(),
        _ => split,
    }
}

fn missing() -> Split<'static> {
    Split {
        frontmatter: Frontmatter::Refused("missing YAML frontmatter delimited by ---".to_owned()),
        body: Cow::Borrowed(""),
    }
}

fn unix(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A line without its end.
fn unended(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}
