//! Reads one key and reports its problems.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};

use super::shape::{self, Value};
use crate::definition::Field;
use crate::diagnostic::{Edit, Finding, Fix, Rule, Severity};
use crate::dialect::{Canonical, Dialect, Form, Key, Shape, Verdict};
use crate::limits::TOOLS;
use crate::reader::{self, COLONS};
use crate::rules;
use crate::span::Span;
use crate::verdict::Judgement;
use crate::yaml::{Entry, Kind, Node, requoted};

/// The source of a definition.
pub(crate) struct Input<'a> {
    /// The text that all spans refer to.
    pub(crate) text: &'a str,
    /// The frontmatter's value.
    pub(crate) root: Option<&'a Node>,
    /// Where a missing key is reported.
    pub(crate) opening: Span,
    /// The agent's name if it does not set one.
    pub(crate) stem: &'a str,
}

/// Reads one key.
pub(super) struct KeyReader<'a> {
    dialect: &'a Dialect,
    key: &'a Key,
    input: &'a Input<'a>,
    judgement: &'a mut Judgement,
}

impl<'a> KeyReader<'a> {
    pub(super) fn new(
        dialect: &'a Dialect,
        key: &'a Key,
        input: &'a Input<'a>,
        judgement: &'a mut Judgement,
    ) -> Self {
        Self {
            dialect,
            key,
            input,
            judgement,
        }
    }

    /// The value, if it has an effect.
    pub(super) fn read(mut self, found: Option<(&Entry, &Field)>) -> Option<Value> {
        let Some((entry, field)) = found else {
            // Most keys are optional and absent: no message is built for those.
            if self.key.missing != Verdict::Fine {
                let message = format!("`{}` is missing", self.key.spellings[0]);
                self.missing(self.input.opening, message);
            }
            return None;
        };
        let span = if field.value_span.is_empty() {
            field.key_span
        } else {
            field.value_span
        };
        let value = match shape::decode(self.key, &entry.value, self.input.text) {
            Ok(value) => value,
            Err(expected) => {
                self.wrong(entry, span, expected);
                if self.key.joined {
                    return reader::script_text(&entry.value).map(Value::Text);
                }
                let empty = || shape::empty(&self.key.shape);
                return self.key.wrong_is_empty.then(empty).flatten();
            }
        };
        self.odd_items(entry);
        let is_optional = self.key.missing == Verdict::Fine || self.takes_blank() && value.is_some();
        if value.as_ref().is_none_or(Value::is_blank) && !is_optional {
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

    /// Whether the prompt may be blank.
    fn takes_blank(&self) -> bool {
        self.key.field == Canonical::Prompt && self.dialect.body.empty == Verdict::Fine
    }

    fn missing(&mut self, span: Span, message: String) {
        let label = match (self.key.missing, self.key.field) {
            (Verdict::Ignored, Canonical::Description) => "models choose by it".to_owned(),
            (Verdict::Ignored, _) => format!("{} requires it", self.dialect.id),
            _ => format!(
                "{} does not load {} without it",
                self.dialect.id,
                self.dialect.kind.a()
            ),
        };
        let reason = self.fill(&self.key.missing_text, "", &message);
        let mut finding = Finding::new(&rules::missing_field::RULE, span, message)
            .severity(self.key.missing.into())
            .label(label);
        let after_key = self.input.text[span.end.index()..].strip_prefix(':');
        if after_key.is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with('#')) {
            finding = finding.help("quote the value: `#` starts a comment");
        }
        self.judgement.find(finding);
        self.judgement.judge(self.key.missing, &reason);
    }

    fn wrong(&mut self, entry: &Entry, span: Span, expected: &str) {
        let key = entry.key.as_text().unwrap_or_default();
        let message = format!(
            "`{key}` is {}, but {} takes {expected}",
            entry.value.describe(),
            self.dialect.id
        );
        let severity = match self.key.shape {
            // Either way the agent may do more: tools that are not listed are not restricted.
            Shape::Tools(_) => Severity::Error,
            Shape::Words | Shape::Spaced if self.key.wrong_is_empty => Severity::Error,
            _ => self.key.wrong.into(),
        };
        let reason = self.fill(&self.key.missing_text, "", &message);
        let label = match (self.key.wrong_is_empty, self.key.wrong) {
            _ if self.key.joined => "it becomes a text",
            (true, _) => "it counts as an empty list",
            (false, Verdict::Fine) => "other tools refuse the file",
            (false, wrong) => wrong.consequence(self.dialect.kind),
        };
        let severity = match self.key.wrong {
            Verdict::Fine => Severity::Note,
            _ => severity,
        };
        let mut finding = Finding::new(&rules::wrong_type::RULE, span, message)
            .severity(severity)
            .label(label);
        finding.fixes.extend(self.meant(entry).map(|text| Fix {
            title: format!("Write `{text}`"),
            safe: true,
            edits: alloc::vec![Edit { span, text }],
        }));
        self.judgement.find(finding);
        self.judgement.judge(self.key.wrong, &reason);
    }

    /// Reports items of a list of tools that are maps, such as `Bash(x: y)` without quotes: readers skip them.
    fn odd_items(&mut self, entry: &Entry) {
        let items = entry.value.items().unwrap_or_default();
        let is_list = matches!(self.key.shape, Shape::Tools(_));
        let odd = items
            .iter()
            .filter(|item| is_list && matches!(item.kind, Kind::Mapping(_)));
        for item in odd.take(TOOLS) {
            let key = entry.key.as_text().unwrap_or_default();
            let written = item.span.of(self.input.text);
            let message = format!("an item of `{key}` is a map, not a tool");
            let mut finding = Finding::new(&rules::wrong_type::RULE, item.span, message)
                .severity(Severity::Error)
                .label("it is skipped");
            let count = |bracket| written.matches(bracket).count();
            let is_whole = count('(') == count(')') && !written.starts_with('{') && !written.contains('\n');
            if is_whole && written.contains('(') {
                finding.fixes.push(Fix {
                    title: "Quote the tool".to_owned(),
                    // In other lists, it allows what was skipped before.
                    safe: self.key.field == Canonical::DeniedTools,
                    edits: alloc::vec![Edit {
                        span: item.span,
                        text: requoted(written),
                    }],
                });
            }
            self.judgement.find(finding);
        }
    }

    /// The number or boolean meant by a text: one in quotes, or a word of YAML 1.1. The hint meant by a list in brackets.
    fn meant(&self, entry: &Entry) -> Option<String> {
        let written = entry.value.span.of(self.input.text);
        if self.key.field == Canonical::ArgumentHint
            && written.starts_with('[')
            && !written.contains(['"', '\n'])
        {
            return Some(format!("\"{written}\""));
        }
        let text = entry.value.as_text()?.trim();
        match self.key.shape {
            Shape::Integer => text.parse::<i64>().ok().map(|number| number.to_string()),
            Shape::Boolean => match &*text.to_lowercase() {
                "yes" | "on" | "true" => Some("true".to_owned()),
                "no" | "off" | "false" => Some("false".to_owned()),
                _ => None,
            },
            _ => None,
        }
    }

    fn in_bounds(&mut self, value: &Value, span: Span, key: &str) -> bool {
        let text = value.as_text().unwrap_or_default();
        let id = &self.dialect.id;
        let length = || text.chars().count();
        let longest = self.key.longest.map(|longest| (longest as usize, length()));
        if let Some((longest, length)) = longest.filter(|(longest, length)| length > longest) {
            let message = format!("`{key}` has {length} characters; {id} accepts at most {longest}");
            return self.out_of_bounds(&rules::too_long::RULE, span, message, text);
        }
        let shortest = self.key.shortest.map(|least| (least as usize, length()));
        if let Some((least, length)) = shortest.filter(|(least, length)| length < least) {
            let message = format!("`{key}` has {length} characters; {id} accepts at least {least}");
            return self.out_of_bounds(&rules::too_short::RULE, span, message, text);
        }
        if self
            .key
            .none_of
            .iter()
            .any(|word| word.eq_ignore_ascii_case(text))
        {
            let message = format!("{id} reserves `{text}`");
            return self.out_of_bounds(&rules::unknown_value::RULE, span, message, text);
        }
        if self.key.single_line && text.contains(['\n', '\r']) {
            let message = format!("`{key}` has several lines; {id} accepts one");
            return self.out_of_bounds(&rules::several_lines::RULE, span, message, text);
        }
        let small = self.key.at_least.zip(value.as_integer());
        if let Some((least, number)) = small.filter(|(least, number)| number < least) {
            let message = format!("`{key}` is {number}; {id} accepts at least {least}");
            self.out_of_bounds(&rules::too_small::RULE, span, message, &number.to_string());
            // A number that withholds the agent is still reported as written.
            return self.key.out_of_bounds != Verdict::Ignored;
        }
        if let Value::Any(number) = value
            && let Some([least, most]) = self.key.range_around(number)
        {
            let message = format!("`{key}` is {number}; {id} documents {least} to {most}");
            self.judgement
                .find(Finding::new(&rules::unknown_value::RULE, span, message));
        }
        match self.key.form.filter(|form| !form.holds(text)) {
            Some(form) => self.other_form(form, span, text),
            None => true,
        }
    }

    fn other_form(&mut self, form: Form, span: Span, text: &str) -> bool {
        let has_plugin = self.dialect.plugin_prefix && text.contains(COLONS);
        let verdict = if has_plugin {
            Verdict::Dropped
        } else {
            self.key.other_form
        };
        let id = &self.dialect.id;
        let message = format!("`{text}` is not {}", form.words());
        let finding = Finding::new(&rules::name_form::RULE, span, message.clone());
        // A colon separates a plugin from its agents.
        let is_apart = self.dialect.plugin_prefix && text.starts_with('-');
        self.judgement.find(match verdict {
            Verdict::Fine if is_apart => finding
                .severity(Severity::Warning)
                .label(format!("{id} accepts no name with a leading hyphen")),
            Verdict::Fine => finding.label(format!("{id} recommends names like `code-reviewer`")),
            _ => finding
                .severity(verdict.into())
                .label(verdict.consequence(self.dialect.kind)),
        });
        self.judgement.judge(verdict, &message);
        verdict != Verdict::Ignored
    }

    fn out_of_bounds(&mut self, rule: &Rule, span: Span, message: String, value: &str) -> bool {
        let verdict = self.key.out_of_bounds;
        let reason = self.fill(&self.key.bounds_text, value, &message);
        let finding = Finding::new(rule, span, message)
            .severity(verdict.into())
            .label(verdict.consequence(self.dialect.kind));
        self.judgement.find(finding);
        self.judgement.judge(verdict, &reason);
        verdict != Verdict::Ignored
    }

    /// The product's own words, or else the message.
    fn fill(&self, template: &str, value: &str, message: &str) -> String {
        match template {
            "" => message.to_owned(),
            _ => template
                .replace("{name}", self.input.stem)
                .replace("{value}", value),
        }
    }
}
