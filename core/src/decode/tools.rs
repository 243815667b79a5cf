//! Lists of tools.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{ToolShape, ToolText};
use crate::span::Span;
use crate::yaml::{Kind, Node, Plain};

pub(super) fn decode(
    shape: &ToolShape,
    only_text: bool,
    node: &Node,
    text: &str,
) -> Result<ToolFilter, &'static str> {
    let taken = match (shape.list, shape.text) {
        (true, ToolText::Never) => "a list of tools",
        (true, _) => "a list of tools, or text",
        (false, _) => "text with commas",
    };
    let rules: Vec<ToolRule> = match &node.kind {
        Kind::Scalar { .. } => match node.plain() {
            Some(Plain::Null) => return Ok(ToolFilter::Null),
            Some(Plain::Text(value)) if shape.text != ToolText::Never => {
                scalar(shape.text, value, node.span, text)
            }
            _ => return Err(taken),
        },
        Kind::Sequence(items) if shape.list => {
            let items = items.iter();
            let texts = items.filter_map(|node| Some((item(node, only_text)?, node.span)));
            let rules = texts.flat_map(|(value, span)| match shape.text {
                ToolText::Spaces => {
                    let parts = scalar(ToolText::Spaces, value, span, text);
                    // One tool keeps the place with its quotes.
                    match <[ToolRule; 1]>::try_from(parts) {
                        Ok([only]) => Vec::from([ToolRule { span, ..only }]),
                        Err(parts) => parts,
                    }
                }
                _ => Vec::from([rule(value.trim(), span)]),
            });
            rules.filter(|rule| !rule.tool.is_empty()).collect()
        }
        _ => return Err(taken),
    };
    let all = |rule: &ToolRule| rule.specifier.is_none() && shape.all.contains(&rule.tool);
    Ok(if rules.is_empty() {
        ToolFilter::None
    } else if rules.iter().any(all) {
        ToolFilter::All
    } else {
        ToolFilter::Only(rules)
    })
}

/// The tools of a value, without their places.
pub(crate) fn of(shape: &ToolShape, node: &Node) -> Result<ToolFilter, &'static str> {
    let node = Node {
        span: Span::default(),
        ..node.clone()
    };
    decode(shape, false, &node, "")
}

/// The text of a list item; none if the item is skipped.
pub(super) fn item(node: &Node, only_text: bool) -> Option<&str> {
    match node.plain()? {
        Plain::Text(text) => Some(text),
        _ if only_text => None,
        _ => node.as_text(),
    }
}

/// The comma-separated tools, without their places.
pub(crate) fn rules(value: &str) -> Vec<ToolRule> {
    scalar(ToolText::Commas, value, Span::default(), "")
}

/// The tools separated by commas or spaces, without their places.
pub(crate) fn words(value: &str) -> Vec<ToolRule> {
    scalar(ToolText::Words, value, Span::default(), "")
}

fn scalar(form: ToolText, value: &str, span: Span, text: &str) -> Vec<ToolRule> {
    let whole = [(0, value)];
    let parts: Vec<(usize, &str)> = match form {
        ToolText::One => whole.into(),
        ToolText::Commas => split(value, |c| c == ','),
        ToolText::Words => split(value, |c| c == ',' || c.is_whitespace()),
        ToolText::Spaces => split(value, is_space),
        ToolText::Never => Vec::new(),
    };
    // Only the parts of a literal value have places.
    let written = span.of(text);
    let shift = [0, 1]
        .into_iter()
        .find(|quote| written.get(*quote..).is_some_and(|rest| rest.starts_with(value)));
    let place = |at: usize, part: &str| match shift {
        Some(shift) => {
            let start = span.start.index() + shift + at;
            Span::new(start, start + part.len())
        }
        None => span,
    };
    parts
        .into_iter()
        .map(|(at, part)| (at + part.len() - part.trim_start().len(), part.trim()))
        .filter(|(_, part)| !part.is_empty())
        .map(|(at, part)| rule(part, place(at, part)))
        .collect()
}

fn is_space(c: char) -> bool {
    matches!(c, ',' | ' ')
}

/// The parts between separators that are not in parentheses.
fn split(value: &str, separates: impl Fn(char) -> bool) -> Vec<(usize, &str)> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in value.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 && separates(c) => {
                parts.push((start, &value[start..at]));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push((start, &value[start..]));
    parts
}

pub(crate) fn rule(text: &str, span: Span) -> ToolRule {
    let specified = text
        .strip_suffix(')')
        .and_then(|inner| inner.split_once('('))
        .filter(|(tool, _)| !tool.is_empty());
    let (tool, specifier) = match specified {
        Some((tool, specifier)) => (tool.trim_end(), Some(specifier.to_owned())),
        None => (text, None),
    };
    ToolRule {
        tool: tool.to_owned(),
        specifier,
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_parentheses_do_not_split() {
        let text = "Read, Bash(git diff, git log), Agent(a, b)";
        let rules = scalar(ToolText::Commas, text, Span::new(0, text.len()), text);
        let written: Vec<&str> = rules.iter().map(|rule| rule.span.of(text)).collect();
        assert_eq!(written, ["Read", "Bash(git diff, git log)", "Agent(a, b)"]);
        assert_eq!(rules[2].specifier.as_deref(), Some("a, b"));
        assert_eq!(rule("mcp__srv__*", Span::default()).tool, "mcp__srv__*");
        assert_eq!(rule("(x)", Span::default()).tool, "(x)");
    }
}
