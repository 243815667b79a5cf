//! A draft to the text of a new file.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scalar::{Place, scalar};
use super::{Draft, Refusal, Value, emit, fits};
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Dialect, Key, Shape, ToolShape, Verdict};
use crate::limits::{FILE_BYTES, FRONTMATTER_BYTES};

/// Writes a draft as a file of a dialect, such that every reader of it reads the same values.
///
/// Fails with everything in the draft that the dialect has no way of saying.
pub fn render(draft: &Draft, dialect: &Dialect) -> Result<String, Vec<Refusal>> {
    let mut refusals = Vec::new();
    let mut refuse = |field: &str, reason: String| {
        refusals.push(Refusal {
            field: field.to_owned(),
            reason,
        });
    };
    for (at, (field, _)) in draft.fields.iter().enumerate() {
        if draft.fields[..at].iter().any(|(other, _)| other == field) {
            refuse(field, format!("`{field}` stands twice"));
        }
        if !dialect.keys.iter().any(|key| key.field == *field) {
            refuse(field, format!("{} has no key for `{field}`", dialect.id));
        }
    }
    let mut text = String::from("---\n");
    for key in &dialect.keys {
        match draft.get(&key.field) {
            Some(value) => match fits::fits(dialect, key, value, draft) {
                Ok(()) => write_field(key, value, &mut text),
                Err(reason) => refuse(&key.field, reason),
            },
            None if key.missing != Verdict::Fine => {
                refuse(&key.field, format!("{} needs `{}`", dialect.id, key.written()));
            }
            None => {}
        }
    }
    let frontmatter = text.len();
    text.push_str("---\n");
    write_prompt(&draft.prompt, dialect, &mut text);
    if draft.prompt.trim().is_empty() && dialect.body.empty != Verdict::Fine {
        refuse("prompt", format!("{} needs a prompt", dialect.id));
    }
    if frontmatter > FRONTMATTER_BYTES || text.len() > FILE_BYTES {
        refuse("prompt", "the file would be too long to be read".to_owned());
    }
    if refusals.is_empty() {
        Ok(text)
    } else {
        Err(refusals)
    }
}

fn write_prompt(prompt: &str, dialect: &Dialect, text: &mut String) {
    if !dialect.body.trim {
        text.push_str(prompt);
        return;
    }
    let prompt = prompt.trim();
    if !prompt.is_empty() {
        text.push('\n');
        text.push_str(prompt);
        text.push('\n');
    }
}

fn write_field(key: &Key, value: &Value, text: &mut String) {
    let spelling = key.written();
    let line = match value {
        Value::Text(value) => format!("{spelling}: {}\n", scalar(value, Place::Block)),
        Value::Integer(number) => format!("{spelling}: {number}\n"),
        Value::Boolean(value) => format!("{spelling}: {value}\n"),
        Value::Words(words) => emit::list(spelling, words.iter().map(|word| &**word)),
        Value::Yaml(node) => return emit::node(spelling, node, text),
        Value::Tools(filter) => match &key.shape {
            Shape::Tools(shape) => tools(spelling, shape, filter),
            _ => return,
        },
    };
    text.push_str(&line);
}

fn tools(spelling: &str, shape: &ToolShape, filter: &ToolFilter) -> String {
    let rules = match filter {
        ToolFilter::Absent => return String::new(),
        ToolFilter::Null => return format!("{spelling}:\n"),
        ToolFilter::All => {
            let star = shape.all.iter().find(|word| *word == "*");
            let word = star.or(shape.all.first()).map_or("", |word| word);
            return format!("{spelling}: {}\n", scalar(word, Place::Flow));
        }
        ToolFilter::None => &[],
        ToolFilter::Only(rules) => rules.as_slice(),
    };
    let words: Vec<String> = rules.iter().map(written).collect();
    if shape.written_as_list() {
        emit::list(spelling, words.iter().map(|word| &**word))
    } else if words.is_empty() {
        // Empty text counts as nothing said in some readers; nothing but a comma does not.
        format!("{spelling}: \",\"\n")
    } else {
        format!("{spelling}: {}\n", scalar(&words.join(", "), Place::Block))
    }
}

fn written(rule: &ToolRule) -> String {
    match &rule.specifier {
        Some(specifier) => format!("{}({specifier})", rule.tool),
        None => rule.tool.clone(),
    }
}
