//! What is written is read back as it was meant, whatever it holds.

use callsheet_core::definition::ToolFilter;
use callsheet_core::dialect::{Dialect, Dialects};
use callsheet_core::document::read;
use callsheet_core::frontmatter::split;
use callsheet_core::span::Span;
use callsheet_core::verdict::Outcome;
use callsheet_core::write::{Draft, Value, render};
use callsheet_core::yaml::{Kind, Node, Plain};
use callsheet_tests::drafts::answers;
use callsheet_tests::invariants::with_dialects;
use callsheet_tests::texts::check;
use serde_yaml::Value as Yaml;

#[test]
fn what_is_written_is_read_back() {
    let written = std::cell::Cell::new(0);
    check(1500, answers(), |answers| {
        with_dialects(|dialects| {
            for dialect in dialects.iter() {
                let draft = answers.draft(dialect);
                match render(&draft, dialect) {
                    Ok(text) => {
                        written.set(written.get() + 1);
                        read_back(&draft, &text, dialect, dialects);
                    }
                    Err(refusals) => assert!(!refusals.is_empty()),
                }
            }
        });
        Ok(())
    });
    let written = written.get();
    assert!(written > 1500, "only {written} drafts could be written");
}

fn read_back(draft: &Draft, text: &str, dialect: &Dialect, dialects: &Dialects) {
    let document = read("x.md", text.as_bytes(), None, dialect, dialects);
    let id = &dialect.id;
    assert_eq!(document.outcome, Outcome::Loads, "{id}: {text}");
    let mut findings = document.diagnostics.iter();
    assert_eq!(
        findings.find(|found| is_about_form(found.rule)),
        None,
        "{id}: {text}"
    );
    let definition = &document.definition;
    for (field, value) in &draft.fields {
        let stated = match (&**field, value) {
            ("name", Value::Text(_)) => Value::Text(definition.name.clone()),
            ("description", Value::Text(_)) => Value::Text(definition.description.clone()),
            ("tools", _) => Value::Tools(without_places(&definition.tools)),
            _ => continue,
        };
        assert_eq!(&stated, value, "{id}: {field} of {text}");
    }
    match dialect.body.trim {
        true => assert_eq!(definition.system_prompt, draft.prompt.trim(), "{id}"),
        false => assert_eq!(definition.system_prompt, draft.prompt, "{id}"),
    }
    yardstick(draft, text, dialect);
}

/// Advice on names and prompts is the draft's affair, not the writer's.
fn is_about_form(rule: &str) -> bool {
    !matches!(rule, "name-form" | "empty-prompt")
}

fn without_places(filter: &ToolFilter) -> ToolFilter {
    let mut filter = filter.clone();
    if let ToolFilter::Only(rules) = &mut filter {
        rules.iter_mut().for_each(|rule| rule.span = Span::default());
    }
    filter
}

/// An independent YAML reader finds the same values under the same keys, and no others.
fn yardstick(draft: &Draft, text: &str, dialect: &Dialect) {
    let frontmatter = split(text, 0).frontmatter.expect("the writer wrote one");
    let read: Result<Yaml, _> = serde_yaml::from_str(frontmatter.yaml.of(text));
    let read = read.unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut expected = serde_yaml::Mapping::new();
    for key in &dialect.keys {
        let value = match draft.get(&key.field) {
            None | Some(Value::Tools(ToolFilter::Absent)) => continue,
            Some(Value::Text(text)) => Yaml::from(text.as_str()),
            Some(Value::Integer(number)) => Yaml::from(*number),
            Some(Value::Boolean(value)) => Yaml::from(*value),
            Some(Value::Words(words)) => words.iter().map(String::as_str).collect(),
            Some(Value::Yaml(node)) => tree(node),
            // Text or a list, as the table says: the definition has been compared already.
            Some(Value::Tools(_)) => read[key.written()].clone(),
        };
        expected.insert(key.written().into(), value);
    }
    let read = if read.is_null() {
        Yaml::Mapping(Default::default())
    } else {
        read
    };
    assert_eq!(read, Yaml::Mapping(expected), "{}: {text}", dialect.id);
}

fn tree(node: &Node) -> Yaml {
    match &node.kind {
        Kind::Sequence(items) => items.iter().map(tree).collect(),
        Kind::Mapping(entries) => {
            let pairs = entries.iter().map(|entry| (tree(&entry.key), tree(&entry.value)));
            Yaml::Mapping(pairs.collect())
        }
        Kind::Scalar { text, .. } => match node.plain() {
            Some(Plain::Null) => Yaml::Null,
            Some(Plain::Boolean(value)) => value.into(),
            Some(Plain::Integer(number)) => number.into(),
            _ => text.as_str().into(),
        },
    }
}
