//! What is written is read back with the same meaning.

use std::rc::Rc;

use callsheet_core::definition::{Field, ToolFilter, ToolRule};
use callsheet_core::dialect::{Dialect, Dialects, Format};
use callsheet_core::document::read;
use callsheet_core::frontmatter::split;
use callsheet_core::reader::{self, Held, HeldTools, Reader, Readers};
use callsheet_core::span::Span;
use callsheet_core::write::{Change, Draft, Value, edit, render};
use callsheet_core::yaml::{Kind, Node, Plain, Reading, read as read_yaml};
use callsheet_invariants::{edited, with_dialects};
use callsheet_tests::drafts::answers;
use callsheet_tests::texts::{self, check};
use serde_yaml::Value as Yaml;

#[test]
fn written_files_are_read_back() {
    let written = std::cell::RefCell::new(std::collections::BTreeMap::<String, usize>::new());
    check(1500, answers(), |answers| {
        with_dialects(|dialects| {
            for dialect in dialects.iter() {
                let draft = answers.draft(dialect);
                match render(&draft, dialect) {
                    Ok(text) => {
                        *written.borrow_mut().entry(dialect.id.clone()).or_default() += 1;
                        read_back(&draft, &text, dialect, dialects);
                    }
                    Err(refusals) => assert!(!refusals.is_empty()),
                }
            }
        });
        Ok(())
    });
    let written = written.into_inner();
    assert_eq!(written.len(), 12, "{written:?}");
    assert!(written.values().all(|count| *count > 20), "{written:?}");
}

/// Every measured release that reads a field reads the value of the draft.
#[test]
fn every_release_reads_written_files_the_same() {
    let readers = Readers::embedded();
    let held = std::cell::Cell::new(0);
    check(1500, answers(), |answers| {
        with_dialects(|dialects| {
            let plain = |reader: &&Rc<Reader>| reader.measured && !ELSEWHERE.contains(&&*reader.dialect);
            for reader in readers.iter().filter(plain) {
                let dialect = dialects.get(&reader.dialect).expect("it has a dialect");
                let draft = answers.draft(dialect);
                if let Ok(text) = render(&draft, dialect) {
                    held.set(held.get() + 1);
                    holds(reader, &draft, dialect, &text);
                }
            }
        });
        Ok(())
    });
    assert!(held.get() > 1500, "only {} files were read", held.get());
}

/// Dialects whose releases refuse much of what a draft may say, and Claude Code, which is only partly visible. What they do
/// with real files is tested elsewhere.
const ELSEWHERE: [&str; 6] = [
    "claude-code",
    "codex",
    "copilot",
    "gemini-cli",
    "opencode",
    "qwen-code",
];

fn holds(reader: &Reader, draft: &Draft, dialect: &Dialect, text: &str) {
    let shown = || format!("{}: {text}", reader.id);
    let reading = reader::read("x.md", text.as_bytes(), reader);
    let agent = reading.unwrap_or_else(|why| panic!("{why:?}: {}", shown())).agent;
    let said = |field: &str| match draft.get(field) {
        Some(Value::Text(text)) => Some(Held::Text(text.clone())),
        _ => None,
    };
    if said("name").is_some() {
        assert_eq!(Some(agent.name), said("name"), "{}", shown());
    }
    if said("description").is_some() {
        assert_eq!(Some(agent.description), said("description"), "{}", shown());
    }
    let pointer =
        dialect.keys.iter().any(|key| key.field.name() == "model-name") && draft.get("model-name").is_some();
    let looks = reader.model.keys.iter().any(|key| key == "model") && !pointer;
    // A copy of its caller's conversation may keep the caller's model.
    let is_own = draft.get("fork-context").is_none();
    if let Some(Held::Text(model)) = said("model").filter(|_| looks && is_own) {
        let found = agent.model.as_ref().map_or("", Held::shown);
        if reader.model.trimmed {
            assert_eq!(bare(found), bare(&model), "{}", shown())
        } else {
            assert_eq!(found, model, "{}", shown())
        }
    }
    // What no tools come to is not always none: some releases have no way of saying it.
    match draft.get("tools") {
        Some(Value::Tools(ToolFilter::All)) => assert_eq!(agent.tools, HeldTools::All, "{}", shown()),
        Some(Value::Tools(ToolFilter::Only(rules))) if !reader.tools.keys.is_empty() => {
            let spelled = |rule: &ToolRule| match &rule.specifier {
                Some(specifier) => format!("{}({specifier})", rule.tool),
                None => rule.tool.clone(),
            };
            let expected = HeldTools::Only(rules.iter().map(spelled).collect());
            assert_eq!(agent.tools, expected, "{}", shown());
        }
        _ => {}
    }
    let prompt = String::from_utf8(agent.prompt).expect("it was text");
    assert_eq!(bare(&prompt), bare(&draft.prompt), "{}", shown());
}

/// A prompt without what is around it, and with the line ends that a program in Python makes of them.
fn bare(prompt: &str) -> String {
    let blank = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1c}'..='\u{1f}');
    prompt
        .trim_matches(blank)
        .replace("\r\n", "\n")
        .replace('\r', "\n")
}

fn read_back(draft: &Draft, text: &str, dialect: &Dialect, dialects: &Dialects) {
    let document = read("x.md", text.as_bytes(), None, dialect, dialects);
    let id = &dialect.id;
    if !document.outcome.loads() {
        // A release may refuse what its documents allow, and reports it as a finding.
        return;
    }
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
            ("tools", Value::Tools(_)) => Value::Tools(without_places(&definition.tools)),
            _ => continue,
        };
        assert_eq!(&stated, value, "{id}: {field} of {text}");
    }
    if dialect.body.trim {
        assert_eq!(definition.system_prompt, draft.prompt.trim(), "{id}")
    } else {
        assert_eq!(definition.system_prompt, draft.prompt, "{id}")
    }
    if dialect.format == Format::Markdown {
        yardstick(draft, text, dialect);
    }
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
        let value = match draft.get(key.field.name()) {
            None | Some(Value::Tools(ToolFilter::Absent)) => continue,
            // Text or a list, as the table says: the definition has been compared already.
            Some(Value::Tools(_)) => read[key.written()].clone(),
            Some(value) => plain(value),
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

/// A value as plain YAML data. What tools look like is the dialect's affair.
fn plain(value: &Value) -> Yaml {
    match value {
        Value::Text(text) | Value::Entered(text) => text.as_str().into(),
        Value::Integer(number) => (*number).into(),
        Value::Boolean(value) => (*value).into(),
        Value::Words(words) => words.iter().map(String::as_str).collect(),
        Value::Yaml(node) => tree(node),
        Value::Tools(_) => Yaml::Null,
    }
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

/// A change to any file changes only the given field, and an added field can be removed again.
#[test]
fn an_edit_changes_only_one_key() {
    let edited_files = std::cell::Cell::new(0);
    check(600, (texts::bytes(), answers()), |(bytes, answers)| {
        with_dialects(|dialects| {
            // Those of TOML are proved with the suite `editing`.
            for dialect in dialects
                .iter()
                .filter(|dialect| dialect.format == Format::Markdown)
            {
                for (field, value) in answers.draft(dialect).fields {
                    let change = |value| Change {
                        key: field.clone(),
                        value,
                    };
                    let Ok(edits) = edit(&bytes, dialect, &[change(Some(value.clone()))], None) else {
                        continue;
                    };
                    edited_files.set(edited_files.get() + 1);
                    let after = edited(&bytes, &edits);
                    changed_alone(&bytes, &after, &field, &value, dialect, dialects);
                    assert_eq!(
                        edit(&after, dialect, &[change(Some(value))], None),
                        Ok(Vec::new()),
                        "once is enough"
                    );
                    let gone = edit(&after, dialect, &[change(None)], None);
                    let was_there = fields(&bytes, dialect, dialects)
                        .iter()
                        .any(|it| it.canonical.is_some_and(|known| known.name() == field));
                    if let Ok(edits) = gone
                        && !was_there
                        && !loses_fields(&bytes, dialect, dialects)
                    {
                        assert_eq!(
                            edited(&after, &edits),
                            bytes,
                            "set and unset leave nothing behind"
                        );
                    }
                }
            }
        });
        Ok(())
    });
    let edited = edited_files.get();
    assert!(edited > 600, "only {edited} files could be edited");
}

/// Whether something in the frontmatter costs all of it.
fn loses_fields(bytes: &[u8], dialect: &Dialect, dialects: &Dialects) -> bool {
    read("x.md", bytes, None, dialect, dialects).ignores_fields
}

/// The keys of a file, in any order.
fn fields(bytes: &[u8], dialect: &Dialect, dialects: &Dialects) -> Vec<Field> {
    let mut fields = read("x.md", bytes, None, dialect, dialects).definition.fields;
    for field in &mut fields {
        (field.key_span, field.value_span) = Default::default();
    }
    fields
}

fn changed_alone(
    before: &[u8],
    after: &[u8],
    field: &str,
    value: &Value,
    dialect: &Dialect,
    dialects: &Dialects,
) {
    let shown = || format!("{}: {field} of {:?}", dialect.id, String::from_utf8_lossy(after));
    if [before, after]
        .into_iter()
        .any(|bytes| loses_fields(bytes, dialect, dialects))
    {
        return;
    }
    let (old, new) = (
        fields(before, dialect, dialects),
        fields(after, dialect, dialects),
    );
    let is_other = |it: &&Field| it.canonical.is_none_or(|known| known.name() != field);
    let others = |fields: &[Field]| fields.iter().filter(is_other).cloned().collect::<Vec<_>>();
    assert_eq!(others(&old), others(&new), "{}", shown());
    let document = read("x.md", after, None, dialect, dialects);
    assert_eq!(document.reading, Reading::Strict, "{}", shown());
    let body = document.definition.body.range();
    assert!(before.ends_with(&after[body]), "{}", shown());
    let text = String::from_utf8_lossy(after);
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let yaml = split(&text, start)
        .frontmatter
        .expect("it had one")
        .yaml
        .of(&text)
        .to_owned();
    let root = read_yaml(&yaml, 0).expect("it is read strictly").root;
    let key = dialect.keys.iter().find(|key| key.field.name() == field);
    let mut spellings = key.expect("it is in the table").spellings.iter();
    let stated = root
        .as_ref()
        .and_then(|root| spellings.find_map(|spelling| root.get(spelling)));
    match value {
        Value::Tools(ToolFilter::Absent) => assert_eq!(stated, None, "{}", shown()),
        Value::Tools(filter) if field == "tools" => {
            assert_eq!(&without_places(&document.definition.tools), filter, "{}", shown());
        }
        Value::Tools(_) => assert!(stated.is_some(), "{}", shown()),
        value => assert_eq!(stated.map(tree), Some(plain(value)), "{}", shown()),
    }
}
