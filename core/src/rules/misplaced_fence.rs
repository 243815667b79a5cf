//! The opening `---` is not alone on the first line.
//!
//! Most readers expect the frontmatter at the first byte of the file. With a blank line or a space before it, or a word after it, they
//! find none.
//!
//! Start the file with a line of `---`.

use alloc::string::ToString;
use alloc::vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::frontmatter::{closing_of_keys, next_line};
use crate::lines::lines;
use crate::span::Span;

crate::diagnostic::rule! {
    name: "misplaced-fence",
    severity: Error,
    fix: Safe,
    found: reading,
    evidence: "gray-matter, front-matter and serde-based loaders look for `---` at the very beginning",
}

/// The most lines before a fence that still looks like one.
const LEADING_LINES: usize = 20;

/// Frontmatter whose opening fence has more than dashes.
pub(crate) fn find_longer(text: &str, start: usize) -> Option<Finding> {
    let rest = &text[start..];
    let first = lines(rest).next()?.of(rest).trim_end();
    let more = first.strip_prefix("---").filter(|more| !more.starts_with('-'))?;
    let fence = Span::new(start, start + first.len());
    closing_of_keys(text, next_line(text, fence.end.index())).filter(|_| !more.is_empty())?;
    let message = "the opening fence is not `---` alone".to_string();
    let more = Span::new(fence.end.index() - more.len(), fence.end.index());
    let finding = Finding::new(&RULE, more, message).label("no reader finds the fields below it");
    Some(finding.fix(Fix {
        title: "Remove this text".to_string(),
        safe: false,
        edits: vec![Edit {
            span: more,
            text: "".to_string(),
        }],
    }))
}

/// Frontmatter that starts below a title, a comment or other text.
pub(crate) fn find(text: &str, start: usize) -> Option<Finding> {
    let rest = &text[start..];
    let mut first_lines = lines(rest).take(LEADING_LINES);
    let fence =
        first_lines.find(|line| line.of(rest).trim_end() == "---" || line.of(rest).starts_with("```"))?;
    let fence = Some(fence).filter(|fence| !fence.of(rest).starts_with('`'))?;
    let fence = Span::new(start + fence.start.index(), start + fence.end.index());
    let closing = closing_of_keys(text, next_line(text, fence.end.index()))?;
    let leading = Span::new(start, fence.start.index());
    let message = "the frontmatter does not start on the first line".to_string();
    let finding = Finding::new(&RULE, fence, message)
        .label("no reader finds it")
        .related(
            Span::new(start, start + rest.trim_start().find(['\n', '\r'])?),
            "this comes before it",
        );
    Some(finding.fix(Fix {
        title: "Move this text below it".to_string(),
        safe: false,
        edits: vec![
            Edit {
                span: leading,
                text: "".to_string(),
            },
            Edit {
                span: Span::at(next_line(text, closing.end.index())),
                text: leading.of(text).to_string(),
            },
        ],
    }))
}
