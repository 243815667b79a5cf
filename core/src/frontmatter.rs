//! Finds the fences: which bytes are frontmatter, which are body, and what is irregular about the fences.

use crate::lines::lines;
use crate::span::Span;

/// An irregular fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// There is text before the opening fence.
    Leading(Span),
    /// The opening fence names a language, as in `---js`.
    Language(Span),
    /// The opening fence is another format's, as in `+++`.
    Foreign(Span),
    /// The closing fence is irregular.
    Closing(Span),
    /// There is no closing fence.
    Unclosed(Span),
}

/// The parts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontmatter {
    /// The opening fence.
    pub opening: Span,
    /// The text between the fences.
    pub yaml: Span,
    /// The most serious irregularity of the fences.
    pub oddity: Option<Oddity>,
}

/// A file in two parts. Without frontmatter, all of it is body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The frontmatter, if there is any.
    pub frontmatter: Option<Frontmatter>,
    /// The body: everything after the line end of the closing fence.
    pub body: Span,
}

/// Splits a text. `start` is the offset after a byte order mark.
pub fn split(text: &str, start: usize) -> Parts {
    let whole = Parts {
        frontmatter: None,
        body: Span::new(start, text.len()),
    };
    let Some(first) = first_line(text, start) else {
        return whole;
    };
    let opening = first.of(text);
    if opening == "+++" {
        let frontmatter = Frontmatter {
            opening: first,
            yaml: Span::at(first.end.index()),
            oddity: Some(Oddity::Foreign(first)),
        };
        return Parts {
            frontmatter: Some(frontmatter),
            ..whole
        };
    }
    let Some(suffix) = opening.strip_prefix("---") else {
        return whole;
    };
    let named = suffix.trim_start_matches([' ', '\t']);
    let is_named = matches!(named, "yaml" | "yml");
    if !is_named && !suffix.is_empty() && !suffix.chars().all(|c| c.is_ascii_alphanumeric()) {
        return whole;
    }
    let after = next_line(text, first.end.index());
    let (yaml, body, closing) = close(text, after);
    let oddity = if !suffix.is_empty() {
        Some(Oddity::Language(Span::new(
            first.start.index() + "---".len(),
            first.end.index(),
        )))
    } else if first.start.index() > start {
        Some(Oddity::Leading(Span::new(start, first.start.index())))
    } else {
        match closing {
            Closing::Proper => None,
            Closing::Odd(span) => Some(Oddity::Closing(span)),
            Closing::None => Some(Oddity::Unclosed(first)),
        }
    };
    if matches!(closing, Closing::None) && !has_key(yaml.of(text)) {
        // A thematic break at the top of a plain Markdown file is not frontmatter.
        return whole;
    }
    Parts {
        frontmatter: Some(Frontmatter {
            opening: first,
            yaml,
            oddity,
        }),
        body,
    }
}

enum Closing {
    Proper,
    Odd(Span),
    None,
}

/// The first non-blank line, without the whitespace around it.
fn first_line(text: &str, start: usize) -> Option<Span> {
    let rest = &text[start..];
    let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r']);
    let begin = text.len() - trimmed.len();
    let line = lines(trimmed).next()?;
    let length = line.of(trimmed).trim_end_matches([' ', '\t']).len();
    (length > 0).then(|| Span::new(begin, begin + length))
}

/// The start of the line after the one with `index`.
pub(crate) fn next_line(text: &str, index: usize) -> usize {
    let rest = &text[index..];
    match rest.find(['\n', '\r']) {
        Some(end) if rest[end..].starts_with("\r\n") => index + end + 2,
        Some(end) => index + end + 1,
        None => text.len(),
    }
}

/// The frontmatter, the body, and the fence between them.
fn close(text: &str, after: usize) -> (Span, Span, Closing) {
    let rest = &text[after..];
    let mut odd: Option<Span> = None;
    for line in lines(rest) {
        let span = Span::new(after + line.start.index(), after + line.end.index());
        let fence = span.of(text).trim_end_matches([' ', '\t']);
        if fence == "---" {
            // YAML has no lines of more dashes, so these end it; those in the body are thematic breaks.
            let ended = odd.filter(|odd| is_long_fence(odd.of(text)) && !goes_on(text, *odd, span));
            return match ended {
                Some(odd) => parts(text, after, odd, Closing::Odd(odd)),
                None => parts(text, after, span, Closing::Proper),
            };
        }
        if odd.is_none() && is_odd_fence(fence) {
            odd = Some(span);
        }
    }
    if let Some(span) = odd {
        return parts(text, after, span, Closing::Odd(span));
    }
    // Unclosed: text that looks like YAML counts as frontmatter, up to the first blank line or heading.
    let end = lines(rest)
        .find(|line| {
            let line = line.of(rest);
            line.trim().is_empty() || line.starts_with("# ") && !line.contains(": ")
        })
        .map_or(text.len(), |line| after + line.start.index());
    (Span::new(after, end), Span::new(end, text.len()), Closing::None)
}

fn parts(text: &str, after: usize, fence: Span, closing: Closing) -> (Span, Span, Closing) {
    let body = next_line(text, fence.end.index());
    (
        Span::new(after, fence.start.index()),
        Span::new(body, text.len()),
        closing,
    )
}

/// `...`, `----`, `---foo` in column 1, or an indented `---`: a fence only if no proper one follows.
fn is_odd_fence(line: &str) -> bool {
    line == "..." || line.trim_start() == "---" || line.starts_with("---") && !line.contains(' ')
}

fn is_long_fence(line: &str) -> bool {
    line.starts_with("---") && line.trim_end().bytes().all(|byte| byte == b'-')
}

/// Whether keys follow an irregular fence before the proper one.
fn goes_on(text: &str, odd: Span, proper: Span) -> bool {
    let between = &text[odd.end.index()..proper.start.index()];
    lines(between)
        .map(|line| line.of(between))
        .find(|line| !line.trim().is_empty())
        .is_none_or(has_key)
}

fn has_key(yaml: &str) -> bool {
    lines(yaml).any(|line| {
        line.of(yaml)
            .split_once(':')
            .is_some_and(|(key, _)| !key.is_empty() && key.chars().all(is_key_character))
    })
}

/// The fence that ends a block of keys, including `name` or `description`, whose first line starts at `start`.
pub(crate) fn closing_of_keys(text: &str, start: usize) -> Option<Span> {
    let rest = text.get(start..)?;
    let mut begins_agent = false;
    for line in lines(rest).take(KEY_LINES) {
        let content = line.of(rest);
        if content.trim_end() == "---" {
            return begins_agent.then(|| Span::new(start + line.start.index(), start + line.end.index()));
        }
        begins_agent |= content.starts_with("name:") || content.starts_with("description:");
        let is_text = content.starts_with(['#', '`']) && !begins_agent;
        if is_text {
            return None;
        }
    }
    None
}

/// The most lines of a misplaced block of keys.
const KEY_LINES: usize = 60;

/// The characters of a key, for readings that are not YAML.
pub(crate) fn is_key_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts_of(text: &str) -> (Option<&str>, &str, Option<Oddity>) {
        let parts = split(text, 0);
        (
            parts.frontmatter.map(|f| f.yaml.of(text)),
            parts.body.of(text),
            parts.frontmatter.and_then(|f| f.oddity),
        )
    }

    #[test]
    fn fences_split_frontmatter_and_body() {
        assert_eq!(parts_of("---\na: 1\n---\nB\n"), (Some("a: 1\n"), "B\n", None));
        assert_eq!(
            parts_of("---  \r\na: 1\r\n--- \r\nB"),
            (Some("a: 1\r\n"), "B", None)
        );
        assert_eq!(parts_of("---\n---\n"), (Some(""), "", None));
        assert_eq!(parts_of("B\n---\n"), (None, "B\n---\n", None));
        assert_eq!(parts_of(""), (None, "", None));
        assert_eq!(parts_of("---"), (None, "---", None));
        assert_eq!(parts_of("----\na: 1\n---\n").0, None);
        assert_eq!(parts_of("---\n\nProse.\n").0, None);
    }

    #[test]
    fn odd_fences_are_recognized() {
        assert!(matches!(
            parts_of("\n ---\na: 1\n---\nB"),
            (Some("a: 1\n"), "B", Some(Oddity::Leading(_)))
        ));
        assert!(matches!(
            parts_of("---js\na: 1\n---\nB"),
            (Some("a: 1\n"), "B", Some(Oddity::Language(_)))
        ));
        assert!(matches!(
            parts_of("--- yaml\na: 1\n---\nB"),
            (Some("a: 1\n"), "B", Some(Oddity::Language(_)))
        ));
        assert_eq!(parts_of("--- Notes\na: 1\n---\nB").0, None);
        assert!(matches!(
            parts_of("+++\na = 1\n+++\nB").2,
            Some(Oddity::Foreign(_))
        ));
        assert!(matches!(
            parts_of("---\na: 1\n...\nB"),
            (Some("a: 1\n"), "B", Some(Oddity::Closing(_)))
        ));
        assert!(matches!(
            parts_of("---\na: 1\n ---\nB"),
            (Some("a: 1\n"), "B", Some(Oddity::Closing(_)))
        ));
        assert!(matches!(
            parts_of("---\na: 1\n-----\nB"),
            (Some("a: 1\n"), "B", Some(Oddity::Closing(_)))
        ));
        assert!(matches!(
            parts_of("---\na: 1\n\nB\n"),
            (Some("a: 1\n"), "\nB\n", Some(Oddity::Unclosed(_)))
        ));
        let long = "---\na: 1\n-----\n\nB\n\n---\n\nC";
        assert!(matches!(
            parts_of(long),
            (Some("a: 1\n"), "\nB\n\n---\n\nC", Some(Oddity::Closing(_)))
        ));
        assert_eq!(
            parts_of("---\na: 1\n-----\nb: 2\n---\nB").0,
            Some("a: 1\n-----\nb: 2\n")
        );
        // Inside a block scalar a fence-like line is only taken if nothing better follows.
        assert_eq!(
            parts_of("---\na: |\n  ---\n---\nB"),
            (Some("a: |\n  ---\n"), "B", None)
        );
    }
}
