//! Frontmatter matched by one pattern over the whole text, as in several JavaScript programs.

use alloc::borrow::{Cow, ToOwned};

use super::parts::{Frontmatter, Split, without};
use crate::dialect::edition::Blanks;

const FENCE: &str = "---";

/// Claude Code: the first line is `---`, and the next `---` closes, even within a line. Leading blank lines are not part of the
/// frontmatter.
pub(super) fn claude_code(text: &str) -> Split<'_> {
    let text = without_mark(text);
    let parts = text.strip_prefix(FENCE).and_then(|rest| {
        let words = rest.trim_start_matches(|c| Blanks::EcmaScript.has(c));
        let begin = rest[..rest.len() - words.len()].rfind('\n')? + 1;
        rest[begin..].split_once(FENCE)
    });
    match parts {
        Some((yaml, body)) => Split {
            frontmatter: Frontmatter::Yaml(Cow::Borrowed(yaml)),
            body: Cow::Borrowed(body),
        },
        None => without(text),
    }
}

/// Gemini CLI: the first line is `---`, and the next line that starts with `---` closes. Further text on that line leaves the prompt
/// empty.
pub(super) fn gemini_cli(text: &str) -> Split<'_> {
    let parts = opened(text).and_then(|rest| rest.split_once("\n---"));
    let Some((yaml, rest)) = parts else {
        return refused("Invalid agent definition: Missing mandatory YAML frontmatter");
    };
    let body = ["\n", "\r\n"].into_iter().find_map(|end| rest.strip_prefix(end));
    Split {
        frontmatter: Frontmatter::Yaml(Cow::Borrowed(yaml.strip_suffix('\r').unwrap_or(yaml))),
        body: Cow::Borrowed(body.unwrap_or_default()),
    }
}

/// Qwen Code: both fences are exactly `---`, and the closing one has a line end.
pub(super) fn qwen_code(text: &str) -> Split<'_> {
    exact(text, |rest| rest.split_once("\n---\n"))
}

/// Qwen Code's skills: the closing fence may be the end of the file.
pub(super) fn qwen_code_skill(text: &str) -> Split<'_> {
    exact(text, |rest| {
        let ended = || Some((rest.strip_suffix("\n---")?, ""));
        rest.split_once("\n---\n").or_else(ended)
    })
}

/// Qwen Code's commands: the same, with nothing required.
pub(super) fn qwen_code_command(text: &str) -> Split<'_> {
    let split = exact(text, |rest| {
        let closes = |(at, fence): (usize, &str)| {
            let rest = &rest[at + fence.len()..];
            (rest.is_empty() || rest.starts_with('\n')).then_some((at, rest))
        };
        let closed = rest.match_indices("\n---").find_map(closes);
        let parts = closed.map(|(end, body)| (&rest[..end], body));
        let at_once = || rest.strip_prefix(FENCE).map(|body| ("", body));
        let parts =
            parts.or_else(|| at_once().filter(|(_, body)| body.is_empty() || body.starts_with('\n')))?;
        Some((parts.0, parts.1.strip_prefix('\n').unwrap_or(parts.1)))
    });
    match split.frontmatter {
        Frontmatter::Refused(_) => without(without_mark(text)),
        _ => split,
    }
}

fn exact<'text>(text: &'text str, parts: fn(&str) -> Option<(&str, &str)>) -> Split<'text> {
    let text = without_mark(text);
    if text.contains('\r') {
        return owned(&text.replace("\r\n", "\n").replace('\r', "\n"), parts);
    }
    match opened(text).and_then(parts) {
        Some((yaml, body)) => Split {
            frontmatter: Frontmatter::Yaml(Cow::Borrowed(yaml)),
            body: Cow::Borrowed(body),
        },
        None => refused("Invalid format: missing YAML frontmatter"),
    }
}

fn owned(text: &str, parts: fn(&str) -> Option<(&str, &str)>) -> Split<'static> {
    let split = exact(text, parts);
    Split {
        frontmatter: match split.frontmatter {
            Frontmatter::Yaml(yaml) => Frontmatter::Yaml(Cow::Owned(yaml.into_owned())),
            Frontmatter::Refused(reason) => Frontmatter::Refused(reason),
            _ => Frontmatter::None,
        },
        body: Cow::Owned(split.body.into_owned()),
    }
}

fn opened(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(FENCE)?;
    rest.strip_prefix('\r').unwrap_or(rest).strip_prefix('\n')
}

fn refused(reason: &str) -> Split<'static> {
    Split {
        frontmatter: Frontmatter::Refused(reason.to_owned()),
        body: Cow::Borrowed(""),
    }
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
