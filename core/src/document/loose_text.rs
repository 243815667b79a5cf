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
                hidden: Hidden::No,
                in_example: PROSE.contains(&key) && in_example_after(value, false),
            });
        } else if is_key(content) && !goes_on && !in_example {
            // An unknown key ends the text, unless the text was already unindented before.
            values.push(Value {
                key: "",
                span: place,
                first: None,
                hidden: Hidden::No,
                in_example: false,
            });
        } else if let Some(value) = values.last_mut().filter(|_| !content.trim().is_empty()) {
            let is_text = !content.starts_with([' ', '\t', '#']) && !content.starts_with("- ");
            value.first = value.first.or(is_text.then_some(place));
            let inner = content.trim_start();
            if !in_example && inner.len() < content.len() && key_and_value(inner, is_known).is_some() {
                value.hidden = value.hidden.max(Hidden::of(content));
            }
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
    hidden: Hidden,
    /// Whether it has an unfinished example, whose text looks like keys.
    in_example: bool,
}

/// Whether a later line may be a field that a block would hide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hidden {
    No,
    /// It may be: it looks like one.
    Perhaps,
    /// It is: it is indented with a tab, which is reported as that.
    Tab,
}

impl Hidden {
    fn of(line: &str) -> Self {
        if line.starts_with('\t') {
            Self::Tab
        } else {
            Self::Perhaps
        }
    }
}

impl Value<'_> {
    fn finding(&self, text: &str) -> Option<Finding> {
        let written = self.span.of(text);
        let begins_text = !written.starts_with(['"', '\'', '[', '{', '|', '>']);
        // Quoted lines may have another meaning, as may those of other keys.
        let is_prose = PROSE.contains(&self.key) && self.hidden != Hidden::Tab;
        if !begins_text || !is_prose || !written.contains(['\n', '\r']) {
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
            safe: self.hidden == Hidden::No,
            edits: vec![Edit {
                span: self.span,
                text: block(text, self.span, self.first.is_none()),
            }],
        }))
    }
}

/// The lines of a value as a block of text, without their common indentation. If they are plain lines that YAML reads as one, they stay one.
fn block(text: &str, span: Span, folds: bool) -> String {
    let written = span.of(text);
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indentation = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let rest = lines(written).skip(1).map(|line| line.of(written));
    let common = rest.filter(|line| !line.trim().is_empty()).map(indentation).min();
    let is_plain = |line: &str| line.trim_start().starts_with(char::is_alphanumeric);
    let folds = folds && lines(written).skip(1).all(|line| is_plain(line.of(written)));
    let mut block = String::new();
    // Nothing may follow the colon yet.
    if text[..span.start.index()].ends_with(':') {
        block.push(' ');
    }
    block.push_str(if folds { ">-" } else { "|-" });
    for (number, line) in lines(written).enumerate() {
        let line = line.of(written).trim_end();
        let line = match number {
            0 if line.is_empty() => continue,
            0 => line,
            _ if folds => line.trim_start(),
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
