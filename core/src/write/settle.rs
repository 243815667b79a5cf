//! Checks values against a dialect's table. Values that it does not accept are refused, so that no other value is written.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Value, entered};
use crate::decode::untaken_tool;
use crate::definition::{ToolFilter, ToolRule};
use crate::dialect::{Canonical, Dialect, Extent, Key, Shape, ToolShape, ToolText, Verdict};
use crate::yaml::{Kind, Node};

/// Another field's text, for values that depend on it.
pub(super) type Others<'a> = &'a dyn Fn(Canonical) -> Option<String>;

/// The value to write. Fails with why it cannot be written, as one sentence.
pub(super) fn settle(
    dialect: &Dialect,
    key: &Key,
    value: &Value,
    others: Others<'_>,
) -> Result<Value, String> {
    let value = match value {
        Value::Entered(text) => entered::understand(dialect, key, text)?,
        value => value.clone(),
    };
    let value = as_list(key, value);
    let id = &*dialect.id;
    let spelling = key.written();
    if !has_shape(&key.shape, &value) {
        return Err(format!("`{spelling}` does not accept this kind of value in {id}"));
    }
    match &value {
        Value::Text(text) => text_fits(id, key, text, others)?,
        Value::Integer(number) => number_fits(id, key, *number)?,
        Value::Words(words) => words.iter().try_for_each(|word| word_fits(key, word))?,
        Value::Tools(filter) => {
            if let Shape::Tools(shape) = &key.shape {
                tools_fit(dialect, shape, filter)?;
            }
        }
        Value::Yaml(node) if has_odd_key(node) => {
            return Err(format!("a key in `{spelling}` is too long, or not text"));
        }
        Value::Yaml(node) => in_range(id, key, node.as_text().unwrap_or_default())?,
        Value::Boolean(_) | Value::Entered(_) => {}
    }
    Ok(value)
}

/// A map by name as the list that the key requires.
fn as_list(key: &Key, value: Value) -> Value {
    match value {
        Value::Yaml(Node {
            kind: Kind::Mapping(entries),
            span,
            tag,
        }) if key.list_only => {
            let alone = |entry| Node {
                kind: Kind::Mapping(Vec::from([entry])),
                span,
                tag: None,
            };
            Value::Yaml(Node {
                kind: Kind::Sequence(entries.into_iter().map(alone).collect()),
                span,
                tag,
            })
        }
        value => value,
    }
}

/// Whether there is a key, at any depth, that some YAML readers refuse: they look 1024 characters ahead for a colon.
fn has_odd_key(node: &Node) -> bool {
    const LONGEST: usize = 250;
    let is_odd = |key: &Node| key.as_text().is_none_or(|text| text.chars().count() > LONGEST);
    let items = node.items().unwrap_or_default();
    let mut entries = node.entries().iter();
    items.iter().any(has_odd_key) || entries.any(|entry| is_odd(&entry.key) || has_odd_key(&entry.value))
}

fn has_shape(shape: &Shape, value: &Value) -> bool {
    let is_map = |value: &Value| matches!(value, Value::Yaml(node) if matches!(node.kind, Kind::Mapping(_)));
    match shape {
        Shape::Text => matches!(value, Value::Text(_)),
        Shape::Scalar => matches!(value, Value::Text(_) | Value::Integer(_) | Value::Boolean(_)),
        Shape::Integer => matches!(value, Value::Integer(_)),
        Shape::Boolean => matches!(value, Value::Boolean(_)),
        Shape::Tools(_) => matches!(value, Value::Tools(_)),
        Shape::Words | Shape::Spaced => matches!(value, Value::Words(_)),
        Shape::Endpoint => is_map(value),
        Shape::Names => matches!(value, Value::Words(_) | Value::Yaml(_)),
        Shape::Any => !matches!(value, Value::Tools(_)),
        Shape::Number => matches!(value, Value::Integer(_) | Value::Yaml(_)),
        Shape::Switches | Shape::Permissions => matches!(value, Value::Yaml(_)),
    }
}

fn text_fits(id: &str, key: &Key, text: &str, others: Others<'_>) -> Result<(), String> {
    let spelling = key.written();
    if (key.is_required() || matches!(key.field, Canonical::Name | Canonical::Model))
        && text.trim().is_empty()
    {
        return Err(format!("`{spelling}` is empty"));
    }
    if key.single_line && text.contains(['\n', '\r']) {
        return Err(format!("`{spelling}` has several lines; {id} accepts one"));
    }
    // Readers written in JavaScript count UTF-16 units: at least as many as characters.
    let length = text.encode_utf16().count();
    if let Some(longest) = key.longest.filter(|longest| length > *longest as usize) {
        return Err(format!(
            "`{spelling}` has {length} characters; {id} accepts at most {longest}"
        ));
    }
    let least = key
        .shortest
        .filter(|least| text.chars().count() < *least as usize);
    if let Some(least) = least {
        return Err(format!(
            "`{text}` is too short for `{spelling}`: {id} accepts at least {least} characters"
        ));
    }
    if key.none_of.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Err(format!("{id} reserves `{text}`"));
    }
    let form = key.form.filter(|_| key.other_form != Verdict::Fine);
    let form = form.or(key.write_form);
    if let Some(form) = form.filter(|form| !form.holds(text)) {
        return Err(format!("`{text}` is not {}, which {id} requires", form.words()));
    }
    if key.unescapes && text.contains("\\n") {
        return Err(format!(
            "{id} turns a backslash and an `n` in `{spelling}` into a line end"
        ));
    }
    let condition = key.if_field.as_ref();
    let holds = condition.is_none_or(|it| others(it.field).as_deref() == Some(&*it.is));
    if holds && !key.accepts(text) {
        let known = key.one_of.join(", ");
        return Err(format!(
            "invalid value `{text}` of `{spelling}` for {id}; use: {known}"
        ));
    }
    Ok(())
}

fn number_fits(id: &str, key: &Key, number: i64) -> Result<(), String> {
    match key.at_least {
        Some(least) if number < least => Err(format!(
            "`{}` is {number}; {id} accepts at least {least}",
            key.written()
        )),
        _ => in_range(id, key, &number.to_string()),
    }
}

fn in_range(id: &str, key: &Key, number: &str) -> Result<(), String> {
    match key.range_around(number) {
        Some([least, most]) => Err(format!(
            "`{}` is {number}; {id} documents {least} to {most}",
            key.written()
        )),
        None => Ok(()),
    }
}

fn word_fits(key: &Key, word: &str) -> Result<(), String> {
    match word.trim() {
        _ if matches!(key.shape, Shape::Spaced) && key.shape.words(word).nth(1).is_some() => {
            Err(format!("`{word}` has a separator, and would be several names"))
        }
        "" => Err("a list may not contain an empty word".to_string()),
        trimmed if trimmed != word => Err(format!("`{word}` starts or ends with a space, which is lost")),
        _ => Ok(()),
    }
}

fn tools_fit(dialect: &Dialect, shape: &ToolShape, filter: &ToolFilter) -> Result<(), String> {
    let id = &*dialect.id;
    match filter {
        ToolFilter::All if shape.all.is_empty() => Err(match dialect.tools.absent {
            Extent::All => format!("{id} has no word for all tools: omit the field to give all"),
            Extent::None => format!("{id} has no word for all tools: list them"),
        }),
        ToolFilter::Only(rules) => {
            rules.iter().try_for_each(|rule| rule_fits(id, shape, rule))?;
            untaken_tool(dialect, rules).map_or(Ok(()), Err)
        }
        _ => Ok(()),
    }
}

fn rule_fits(id: &str, shape: &ToolShape, rule: &ToolRule) -> Result<(), String> {
    let tool = &*rule.tool;
    let separates = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
    if tool.is_empty() || tool.contains(separates) {
        return Err(format!(
            "`{tool}` is not a tool name: some readers would split it"
        ));
    }
    let Some(specifier) = &rule.specifier else {
        return if shape.all.iter().any(|word| word == tool) {
            Err(format!("`{tool}` means all tools in {id}"))
        } else {
            Ok(())
        };
    };
    if !is_balanced(specifier) {
        return Err(format!("the parentheses of `{tool}({specifier})` do not match"));
    }
    if specifier.contains(',') && !shape.list && shape.text == ToolText::Commas {
        return Err(format!("{id} splits `{tool}({specifier})` at its comma"));
    }
    Ok(())
}

fn is_balanced(specifier: &str) -> bool {
    let mut depth = 0_u32;
    for c in specifier.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}
