//! Unquoted multi-line texts that are not valid YAML: pasted below their key, or with a colon in them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::frontmatter::is_key_character;
use crate::lines::lines;
use crate::rules::{unindented_text, unquoted_value};
use crate::span::Span;
use crate::yaml::read;

/// Every multi-line text that must be a block.
pub(super) fn find(text: &str, yaml: Span, is_known: &dyn Fn(&str) -> bool) -> Vec<Finding> {
    let (slice, base) = (yaml.of(text), yaml.start.index());
    let mut values: Vec<Value<'_>> = Vec::new();
    for line in lines(slice) {
        let content = line.of(slice);
        let place = Span::new(base + line.start.index(), base + line.end.index());
        let goes_on = values.last().is_some_and(|value| value.first.is_some());
        let in_example = values.last().is_some_and(|value| value.in_example);
        if let Some((key, value)) = key_and_value(content, is_known) {
            values.push(Value {
                key,
                span: Span::new(place.end.index() - value.len(), place.end.index()),
                first: None,
                in_example: PROSE.contains(&key) && in_example_after(value, false),
            });
        } else if is_key(content) && !goes_on && !in_example {
            // An unknown key ends the text, unless the text was already unindented before.
            values.push(Value {
                key: "",
                span: place,
                first: None,
                in_example: false,
            });
        } else if let Some(value) = values.last_mut().filter(|_| !content.trim().is_empty()) {
            let is_text = !content.starts_with([' ', '\t', '#']) && !content.starts_with("- ");
            value.first = value.first.or(is_text.then_some(place));
            value.span = value.span.to(place);
            value.in_example = PROSE.contains(&value.key) && in_example_after(content, value.in_example);
        }
    }
    values.iter().filter_map(|value| value.finding(text)).collect()
}

/// Whether an example continues after a line.
fn in_example_after(line: &str, before: bool) -> bool {
    match (line.rfind("<example>"), line.rfind("</example>")) {
        (None, None) => before,
        (opens, closes) => opens > closes,
    }
}

/// Texts that continue in the first column, even if each line could be a key.
pub(super) fn is_unindented(text: &str, yaml: Span, is_known: &dyn Fn(&str) -> bool) -> bool {
    let has_example = yaml.of(text).contains("<example>");
    let is_unindented = |found: &Finding| found.rule == unindented_text::RULE.name;
    has_example && find(text, yaml, is_known).iter().any(is_unindented)
}

/// A value from its first line to its last, and its first unindented line.
struct Value<'a> {
    key: &'a str,
    span: Span,
    first: Option<Span>,
    /// Whether it has an unfinished example, whose text looks like keys.
    in_example: bool,
}

impl Value<'_> {
    fn finding(&self, text: &str) -> Option<Finding> {
        let written = self.span.of(text);
        let begins_text = !written.starts_with(['"', '\'', '[', '{', '|', '>']);
        // Quoted lines may have another meaning, as may those of other keys.
        if !begins_text || !PROSE.contains(&self.key) || !written.contains(['\n', '\r']) {
            return None;
        }
        let finding = match self.first {
            Some(first) => {
                let message = format!("`{}` continues in the first column", self.key);
                Finding::new(&unindented_text::RULE, first, message)
                    .label("not part of the text, so most readers refuse the file")
            }
            None => {
                let error = read(&format!("{}: {written}", self.key), 0).err();
                let error = error.filter(|error| error.may_be_quoted)?;
                let message = format!("the value of `{}` must be quoted", self.key);
                Finding::new(&unquoted_value::RULE, self.span, message).label(error.message)
            }
        };
        Some(finding.fix(Fix {
            title: "Write the text as a block".to_string(),
            safe: true,
            edits: vec![Edit {
                span: self.span,
                text: block(text, written),
            }],
        }))
    }
}

/// The lines as a block of text, without their common indentation.
fn block(text: &str, written: &str) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let rest = lines(written).skip(1).map(|line| line.of(written));
    let common = rest.filter(|line| !line.trim().is_empty()).map(indentation).min();
    let mut block = String::from("|-");
    for (number, line) in lines(written).enumerate() {
        let line = line.of(written).trim_end();
        let line = match number {
            0 => line,
            _ => line.get(common.unwrap_or(0)..).unwrap_or_default(),
        };
        block.push_str(end);
        block.push_str(if line.is_empty() { "" } else { "  " });
        block.push_str(line);
    }
    block
}

/// The keys with multi-line texts.
const PROSE: &[&str] = &["description", "initialPrompt", "context"];

/// Whether a line may be an unknown key.
fn is_key(line: &str) -> bool {
    let (key, rest) = line.split_once(':').unwrap_or_default();
    !key.is_empty() && key.chars().all(is_key_character) && (rest.is_empty() || rest.starts_with(' '))
}

fn key_and_value<'a>(line: &'a str, is_known: &dyn Fn(&str) -> bool) -> Option<(&'a str, &'a str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key = !rest.starts_with([':', '/'])
        && !key.is_empty()
        && key.chars().all(is_key_character)
        && is_known(key);
    is_key.then(|| (key, rest.trim_start()))
}
