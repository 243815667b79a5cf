//! Prompts and TOML, changed in files that are written first: noise is neither.

use std::cell::RefCell;
use std::collections::BTreeMap;

use callsheet_core::definition::Field;
use callsheet_core::diagnostic::Edit;
use callsheet_core::dialect::{Dialect, Dialects, Format};
use callsheet_core::document::read;
use callsheet_core::write::{Change, Value, edit, render};
use callsheet_invariants::{edited, with_dialects};
use callsheet_tests::drafts::answers;
use callsheet_tests::texts::check;

/// A new prompt is read back unchanged in every dialect, and no other field changes.
#[test]
fn changing_the_prompt_changes_no_field() {
    let edited = RefCell::new(BTreeMap::<String, usize>::new());
    check(200, (answers(), answers()), |(before, after)| {
        with_dialects(|dialects| {
            for dialect in dialects.iter() {
                let Ok(text) = render(&before.draft(dialect), dialect) else {
                    continue;
                };
                let prompt = after.draft(dialect).prompt;
                let Ok(edits) = edit(text.as_bytes(), dialect, &[], Some(&prompt)) else {
                    continue;
                };
                *edited.borrow_mut().entry(dialect.id.clone()).or_default() += 1;
                let after = apply(&text, &edits);
                let document = read("x.md", after.as_bytes(), None, dialect, dialects);
                let loaded = read("x.md", text.as_bytes(), None, dialect, dialects)
                    .outcome
                    .loads();
                assert_eq!(document.outcome.loads(), loaded, "{}: {after}", dialect.id);
                let expected = match (dialect.format, dialect.body.trim) {
                    (Format::Toml, _) => prompt.clone(),
                    (Format::Markdown, true) => prompt.replace("\r\n", "\n").trim().to_owned(),
                    (Format::Markdown, false) => prompt.replace("\r\n", "\n"),
                };
                assert_eq!(
                    document.definition.system_prompt, expected,
                    "{}: {after}",
                    dialect.id
                );
                assert_eq!(
                    others(&text, "prompt", dialect, dialects),
                    others(&after, "prompt", dialect, dialects)
                );
                assert_eq!(
                    edit(after.as_bytes(), dialect, &[], Some(&prompt)),
                    Ok(Vec::new()),
                    "once is enough"
                );
            }
        });
        Ok(())
    });
    every_dialect_has_some(&edited.into_inner());
}

/// A change to a TOML file changes only the given key, and is read back with the given value.
#[test]
fn changing_a_toml_key_changes_no_other() {
    let edited = RefCell::new(0);
    check(200, (answers(), answers()), |(before, after)| {
        with_dialects(|dialects| {
            for dialect in dialects.iter().filter(|dialect| dialect.format == Format::Toml) {
                let Ok(text) = render(&before.draft(dialect), dialect) else {
                    continue;
                };
                for (field, value) in after.draft(dialect).fields {
                    let change = |value| Change {
                        key: field.clone(),
                        value,
                    };
                    let Ok(edits) = edit(text.as_bytes(), dialect, &[change(Some(value.clone()))], None)
                    else {
                        continue;
                    };
                    *edited.borrow_mut() += 1;
                    let after = apply(&text, &edits);
                    assert_eq!(
                        others(&text, &field, dialect, dialects),
                        others(&after, &field, dialect, dialects)
                    );
                    stands(&after, &field, &value, dialect);
                    let again = edit(after.as_bytes(), dialect, &[change(Some(value))], None);
                    assert_eq!(again, Ok(Vec::new()), "once is enough: {after}");
                    let was_there = stated(&text, &field, dialect).is_some();
                    if let Ok(edits) = edit(after.as_bytes(), dialect, &[change(None)], None)
                        && !was_there
                    {
                        assert_eq!(apply(&after, &edits), text, "set and unset leave nothing behind");
                    }
                }
            }
        });
        Ok(())
    });
    let edited = edited.into_inner();
    assert!(edited > 600, "only {edited} keys could be edited");
}

/// The TOML parser that Codex uses finds every written value under its key.
#[test]
fn written_toml_is_read_back() {
    check(200, answers(), |answers| {
        with_dialects(|dialects| {
            for dialect in dialects.iter().filter(|dialect| dialect.format == Format::Toml) {
                let draft = answers.draft(dialect);
                let Ok(text) = render(&draft, dialect) else {
                    continue;
                };
                for (field, value) in &draft.fields {
                    stands(&text, field, value, dialect);
                }
                let prompt = stated(&text, "prompt", dialect);
                assert_eq!(
                    prompt.as_ref().and_then(toml::Value::as_str),
                    Some(&*draft.prompt)
                );
            }
        });
        Ok(())
    });
}

fn every_dialect_has_some(counts: &BTreeMap<String, usize>) {
    with_dialects(|dialects| {
        for dialect in dialects.iter() {
            let count = counts.get(&dialect.id).copied().unwrap_or_default();
            assert!(count > 0, "no file of {}", dialect.id);
        }
    });
}

#[track_caller]
fn stands(text: &str, field: &str, value: &Value, dialect: &Dialect) {
    let stated = stated(text, field, dialect);
    let expected: toml::Value = match value {
        Value::Text(text) | Value::Entered(text) => text.as_str().into(),
        Value::Integer(number) => (*number).into(),
        Value::Boolean(value) => (*value).into(),
        Value::Words(words) => words.iter().map(String::as_str).collect::<Vec<_>>().into(),
        // Maps are compared by what the dialect reads.
        Value::Yaml(_) | Value::Tools(_) => return assert!(stated.is_some(), "{field}: {text}"),
    };
    assert_eq!(stated, Some(expected), "{field}: {text}");
}

fn stated(text: &str, field: &str, dialect: &Dialect) -> Option<toml::Value> {
    let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    let key = dialect.keys.iter().find(|key| key.field.name() == field);
    let mut spellings = key.expect("it is in the table").spellings.iter();
    spellings.find_map(|spelling| table.get(spelling)).cloned()
}

/// The values of the other keys, in any order.
fn others(text: &str, field: &str, dialect: &Dialect, dialects: &Dialects) -> Vec<Field> {
    let mut fields = read("x.md", text.as_bytes(), None, dialect, dialects)
        .definition
        .fields;
    fields.retain(|it| it.canonical.is_none_or(|known| known.name() != field));
    for field in &mut fields {
        (field.key_span, field.value_span) = Default::default();
    }
    fields
}

fn apply(text: &str, edits: &[Edit]) -> String {
    String::from_utf8(edited(text.as_bytes(), edits)).expect("edits are on character boundaries")
}
