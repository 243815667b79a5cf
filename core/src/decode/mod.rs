//! A dialect's table applied to a spanned tree: every value becomes a field or a finding.

mod fields;
mod shape;
mod tools;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use self::shape::Value;
use crate::definition::{Definition, Endpoint, Field, Model, ToolFilter};
use crate::diagnostic::{Finding, Severity};
use crate::dialect::{Dialect, Form, Key, Shape, Verdict};
use crate::examples::examples;
use crate::span::Span;
use crate::verdict::Judgement;
use crate::yaml::{Entry, Node};

/// Where a definition is read from.
pub(crate) struct Input<'a> {
    /// The text that all spans count bytes of.
    pub(crate) text: &'a str,
    /// The frontmatter's value.
    pub(crate) root: Option<&'a Node>,
    /// Where a missing key is reported.
    pub(crate) opening: Span,
    /// What the agent is called by if it does not say.
    pub(crate) stem: &'a str,
}

/// Reads the keys. The prompt is the caller's affair.
pub(crate) fn decode(dialect: &Dialect, input: &Input<'_>, judgement: &mut Judgement) -> Definition {
    let entries = input.root.map(Node::entries).unwrap_or_default();
    let mut definition = Definition {
        name: input.stem.to_owned(),
        fields: fields::fields(dialect, input.text, entries),
        ..Definition::default()
    };
    fields::report_duplicates(dialect, &definition.fields, judgement);
    for key in &dialect.keys {
        let entry = fields::entry(key, entries);
        let field = entry.and_then(|entry| find(&definition.fields, entry));
        let mut reader = KeyReader {
            dialect,
            key,
            stem: input.stem,
            judgement,
        };
        let value = reader.read(input, entry, field.as_ref());
        if let Some(value) = value {
            assign(&mut definition, dialect, &key.field, value);
        }
    }
    definition.examples = examples(&definition.description)
        .map(|example| example.text.to_owned())
        .collect();
    definition
}

/// Checks values that are taken only from a list. Products do so last, when everything else is known.
pub(crate) fn check_enumerations(definition: &mut Definition, dialect: &Dialect, judgement: &mut Judgement) {
    for key in dialect.keys.iter().filter(|key| !key.one_of.is_empty()) {
        if !is_enumerated(definition, dialect, key, judgement) && key.out_of_bounds == Verdict::Ignored {
            clear(definition, &key.field);
        }
    }
}

fn find(fields: &[Field], entry: &Entry) -> Option<Field> {
    let found = fields.iter().find(|field| field.key_span == entry.key.span);
    found.cloned()
}

struct KeyReader<'a> {
    dialect: &'a Dialect,
    key: &'a Key,
    stem: &'a str,
    judgement: &'a mut Judgement,
}

impl KeyReader<'_> {
    fn read(&mut self, input: &Input<'_>, entry: Option<&Entry>, field: Option<&Field>) -> Option<Value> {
        let (Some(entry), Some(field)) = (entry, field) else {
            self.missing(input.opening, format!("`{}` is missing", self.key.spellings[0]));
            return None;
        };
        let span = if field.value_span.is_empty() {
            field.key_span
        } else {
            field.value_span
        };
        let value = match shape::decode(self.key, &entry.value, input.text) {
            Ok(value) => value,
            Err(expected) => {
                self.wrong(entry, span, expected);
                return self
                    .key
                    .wrong_is_empty
                    .then(|| shape::empty(&self.key.shape))
                    .flatten();
            }
        };
        if value.as_ref().is_none_or(Value::is_blank) && self.key.missing != Verdict::Fine {
            let nothing = match &value {
                Some(Value::Integer(_)) => "0",
                _ => "empty",
            };
            self.missing(span, format!("`{}` is {nothing}", field.key));
            return None;
        }
        let value = value?;
        self.in_bounds(&value, span, &field.key).then_some(value)
    }

    fn missing(&mut self, span: Span, message: String) {
        if self.key.missing == Verdict::Fine {
            return;
        }
        let says = self.fill(&self.key.missing_text, "");
        let label = format!("{} does not load an agent without it", self.dialect.id);
        let reason = if says.is_empty() { message.clone() } else { says };
        let finding = Finding::new("missing-field", Severity::Error, span, message).label(label);
        self.judgement.find(finding);
        self.judgement.judge(self.key.missing, &reason);
    }

    fn wrong(&mut self, entry: &Entry, span: Span, expected: &str) {
        let key = entry.key.as_text().unwrap_or_default();
        let message = format!(
            "`{key}` is {}, where {} takes {expected}",
            entry.value.describe(),
            self.dialect.id
        );
        let severity = match self.key.shape {
            // Both say what the agent may do: tools that are not listed are not held back.
            Shape::Tools(_) => Severity::Error,
            Shape::Words if self.key.wrong_is_empty => Severity::Error,
            _ => severity(self.key.wrong),
        };
        let says = self.fill(&self.key.missing_text, "");
        let reason = if says.is_empty() { message.clone() } else { says };
        let finding =
            Finding::new("wrong-type", severity, span, message).label(match self.key.wrong_is_empty {
                true => "so it counts as an empty list",
                false => consequence(self.key.wrong),
            });
        self.judgement.find(finding);
        self.judgement.judge(self.key.wrong, &reason);
    }

    fn in_bounds(&mut self, value: &Value, span: Span, key: &str) -> bool {
        let text = value.as_text().unwrap_or_default();
        let id = &self.dialect.id;
        let long = self.key.longest.map(|longest| longest as usize);
        let length = text.chars().count();
        if let Some(longest) = long.filter(|longest| length > *longest) {
            let message = format!("`{key}` has {length} characters, where {id} takes at most {longest}");
            return self.out_of_bounds("too-long", span, message, text);
        }
        if self.key.single_line && text.contains(['\n', '\r']) {
            let message = format!("`{key}` has several lines, where {id} takes one");
            return self.out_of_bounds("several-lines", span, message, text);
        }
        let small = self.key.at_least.zip(value.as_integer());
        if let Some((least, number)) = small.filter(|(least, number)| number < least) {
            let message = format!("`{key}` is {number}, where {id} takes at least {least}");
            self.out_of_bounds("too-small", span, message, &number.to_string());
            // A number that withholds the agent is still what the file says.
            return self.key.out_of_bounds != Verdict::Ignored;
        }
        if self.key.form == Some(Form::Kebab) && !is_kebab(text) {
            let message = format!("`{text}` is not in lower case with hyphens");
            let finding = Finding::new("name-form", Severity::Note, span, message)
                .label(format!("{id} advises names like `code-reviewer`"));
            self.judgement.find(finding);
        }
        true
    }

    fn out_of_bounds(&mut self, rule: &'static str, span: Span, message: String, value: &str) -> bool {
        let verdict = self.key.out_of_bounds;
        let says = self.fill(&self.key.bounds_text, value);
        let reason = if says.is_empty() { message.clone() } else { says };
        let finding = Finding::new(rule, severity(verdict), span, message).label(consequence(verdict));
        self.judgement.find(finding);
        self.judgement.judge(verdict, &reason);
        verdict != Verdict::Ignored
    }

    fn fill(&self, template: &str, value: &str) -> String {
        template.replace("{name}", self.stem).replace("{value}", value)
    }
}

/// Whether a value is one of those that are taken, possibly under a condition on another field.
fn is_enumerated(definition: &Definition, dialect: &Dialect, key: &Key, judgement: &mut Judgement) -> bool {
    let condition = key.if_field.as_ref();
    let holds =
        condition.is_none_or(|condition| text_of(definition, &condition.field) == Some(&*condition.is));
    let Some(field) = definition.field(&key.field).filter(|_| holds) else {
        return true;
    };
    let Some(value) = text_of(definition, &key.field).or_else(|| field_text(field)) else {
        return true;
    };
    if value.is_empty() || key.one_of.iter().any(|known| known == value) {
        return true;
    }
    let known = key.one_of.join(", ");
    let nearest = crate::closest::closest(value, key.one_of.iter().map(|known| &**known));
    let message = format!("`{value}` is no value of `{}` for {}", field.key, dialect.id);
    let reason = match key.bounds_text.as_str() {
        "" => message.clone(),
        template => template.replace("{value}", value),
    };
    let help = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`? It takes: {known}"),
        None => format!("it takes: {known}"),
    };
    let finding = Finding::new(
        "unknown-value",
        severity(key.out_of_bounds),
        field.value_span,
        message,
    )
    .label(consequence(key.out_of_bounds))
    .help(help);
    judgement.find(finding);
    judgement.judge(key.out_of_bounds, &reason);
    false
}

/// Forgets a value that has no effect.
fn clear(definition: &mut Definition, field: &str) {
    match field {
        "effort" => definition.effort = None,
        "color" => definition.color = None,
        "permission-mode" => definition.permission_mode = None,
        _ => {}
    }
}

fn field_text(field: &Field) -> Option<&str> {
    let value = field.value.trim_matches(['"', '\'']);
    (!value.contains('\n') && value.parse::<i64>().is_err()).then_some(value)
}

fn text_of<'a>(definition: &'a Definition, field: &str) -> Option<&'a str> {
    match field {
        "provider" => definition.provider.as_deref(),
        "effort" => definition.effort.as_deref(),
        "color" => definition.color.as_deref(),
        "permission-mode" => definition.permission_mode.as_deref(),
        _ => None,
    }
}

fn severity(verdict: Verdict) -> Severity {
    match verdict {
        Verdict::Dropped | Verdict::Withheld => Severity::Error,
        Verdict::Ignored | Verdict::Fine => Severity::Warning,
    }
}

fn consequence(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Dropped => "so the agent is not loaded",
        Verdict::Withheld => "so the agent is listed, but cannot be called",
        Verdict::Ignored => "so it has no effect",
        Verdict::Fine => "",
    }
}

fn is_kebab(name: &str) -> bool {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    name.split('-')
        .all(|part| !part.is_empty() && part.chars().all(letters))
}

fn assign(definition: &mut Definition, dialect: &Dialect, field: &str, value: Value) {
    match (field, value) {
        ("name", Value::Text(text)) if !text.is_empty() => definition.name = text,
        ("description", Value::Text(text)) => definition.description = text,
        ("tools", Value::Tools(tools)) => definition.tools = tools,
        ("denied-tools", Value::Tools(ToolFilter::Only(rules))) => definition.denied_tools = rules,
        ("model", Value::Text(text)) => definition.model = model(dialect, text),
        ("model-name", Value::Text(text)) => definition.model_name = Some(text),
        ("provider", Value::Text(text)) => definition.provider = Some(text),
        ("effort", Value::Text(text)) => definition.effort = Some(text),
        ("max-tokens", Value::Integer(number)) => definition.max_tokens = Some(number),
        ("thinking-budget", Value::Integer(number)) => definition.thinking_budget = Some(number),
        ("allowed-commands", Value::Words(words)) => definition.allowed_commands = Some(words),
        ("endpoint", Value::Endpoint(endpoint)) => definition.endpoint = Some(endpoint),
        ("context", Value::Any(text)) => definition.context = Some(text),
        ("fork-context", Value::Boolean(fork)) => definition.fork_context = Some(fork),
        ("color", Value::Text(text)) => definition.color = Some(text),
        ("permission-mode", Value::Text(text)) => definition.permission_mode = Some(text),
        ("max-turns", Value::Integer(turns)) => definition.limits.turns = u32::try_from(turns).ok(),
        ("skills", Value::Words(words)) => definition.skills = words,
        ("hooks", Value::Words(words)) => definition.hooks = words,
        ("mcp-servers", Value::Words(words)) => definition.mcp_servers = words,
        // Other fields have no place of their own: they stay among `fields`.
        _ => {}
    }
}

fn model(dialect: &Dialect, text: String) -> Model {
    match text.trim() {
        "" => Model::Absent,
        "inherit" => Model::Inherit,
        word if dialect.model_aliases.iter().any(|alias| alias == word) => Model::Alias(word.to_owned()),
        id => Model::Id(id.to_owned()),
    }
}

impl Value {
    fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether it counts as missing where something is required: empty text and zero do.
    fn is_blank(&self) -> bool {
        match self {
            Value::Text(text) => text.trim().is_empty(),
            Value::Integer(number) => *number == 0,
            _ => false,
        }
    }
}

impl Endpoint {
    fn set(&mut self, key: &str, value: &str) {
        match key {
            "base_url" => self.base_url = Some(value.to_owned()),
            "api_key_env_var" => self.api_key_variable = Some(value.to_owned()),
            _ => {}
        }
    }
}
