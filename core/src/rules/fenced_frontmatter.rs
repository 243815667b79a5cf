//! A file, or its frontmatter, inside a Markdown code fence.
//!
//! Chat assistants print agent files in code fences. Copied with the fence, the file has no frontmatter for any reader.
//!
//! ````markdown
//! ```markdown
//! ---
//! name: reviewer
//! ````
//!
//! Remove the opening and the closing fence.

use alloc::string::{String, ToString};
use alloc::vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::frontmatter::{closing_of_keys, next_line};
use crate::span::Span;

crate::diagnostic::rule! {
    name: "fenced-frontmatter",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "no reader looks for frontmatter in a block of code",
}

/// A fence on the first non-blank line, with the frontmatter in it.
pub(crate) fn find(text: &str, start: usize) -> Option<Finding> {
    let first = text[start..].trim_start();
    let at = text.len() - first.len();
    let opening = Span::new(at, at + first.find(['\n', '\r'])?);
    let ticks = opening.of(text).trim_end();
    let language = ticks.strip_prefix("```")?;
    if !language.chars().all(char::is_alphanumeric) {
        return None;
    }
    let inside = next_line(text, opening.end.index());
    let edits = match text[inside..].strip_prefix("---") {
        Some(rest) if rest.starts_with(['\n', '\r', ' ']) => {
            closing_of_keys(text, next_line(text, inside))?;
            let mut edits = vec![replace(Span::new(opening.start.index(), inside), "")];
            let end = text.trim_end();
            let last = end.rfind(['\n', '\r']).map_or(0, |at| at + 1);
            if last > inside && end[last..].trim() == "```" {
                edits.push(replace(Span::new(last, end.len()), ""));
            }
            edits
        }
        // Only the frontmatter is in the code fence, which replaces the `---` lines.
        _ if matches!(language, "yaml" | "yml" | "") => {
            let end = inside + text[inside..].find("\n```")? + 1;
            let keys = &text[inside..end];
            if !["name:", "description:"]
                .iter()
                .all(|key| keys.lines().any(|line| line.starts_with(key)))
            {
                return None;
            }
            vec![
                replace(opening, "---"),
                replace(Span::new(end, end + "```".len()), "---"),
            ]
        }
        _ => return None,
    };
    let message = "the frontmatter is in a code fence".to_string();
    let finding = Finding::new(&RULE, opening, message).label("no reader sees it");
    Some(finding.fix(Fix {
        title: "Remove the code fence".to_string(),
        safe: true,
        edits,
    }))
}

fn replace(span: Span, text: &str) -> Edit {
    Edit {
        span,
        text: String::from(text),
    }
}
