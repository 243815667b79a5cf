//! What data files cannot say: a clash rule that no dialect uses yet, and what changes between two looks.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;

use super::{Catalog, ChangeKind, Options, Project, Standing};
use crate::dialect::{Clash, Dialects};
use crate::files::{FileEntry, FileError, FileKind, Files, Stamp};

/// Files in memory: path to contents and time of modification.
#[derive(Clone, Default)]
struct Memory(Rc<RefCell<BTreeMap<String, (String, u64)>>>);

impl Memory {
    fn write(&self, path: &str, text: &str) {
        let mut files = self.0.borrow_mut();
        let time = files.values().map(|(_, time)| time + 1).max().unwrap_or(1);
        files.insert(path.to_string(), (text.to_string(), time));
    }

    fn remove(&self, path: &str) {
        self.0.borrow_mut().remove(path);
    }
}

impl Files for Memory {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let files = self.0.borrow();
        let prefix = alloc::format!("{path}/");
        let entries: Vec<FileEntry> = files
            .iter()
            .filter_map(|(file, (text, time))| {
                let name = file.strip_prefix(&prefix).filter(|name| !name.contains('/'))?;
                let stamp = Stamp {
                    size: text.len() as u64,
                    modified: Some(*time),
                };
                Some(FileEntry {
                    name: name.to_string(),
                    kind: FileKind::File,
                    stamp,
                })
            })
            .collect();
        if entries.is_empty() {
            Err(FileError::NotFound)
        } else {
            Ok(entries)
        }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let files = self.0.borrow();
        let (text, _) = files.get(path).ok_or(FileError::NotFound)?;
        Ok(text.clone().into_bytes())
    }
}

fn options(dialect: &str) -> Options {
    Options {
        kind: crate::dialect::Kind::Agent,
        dialect: dialect.to_string(),
        project: Project {
            directory: "p".to_string(),
            home: Some("h".to_string()),
            ..Project::default()
        },
        cache_capacity: 2,
        check: false,
    }
}

fn open(files: &Memory, dialects: &Dialects, dialect: &str) -> Catalog {
    let catalog = Catalog::open(Box::new(files.clone()), dialects, options(dialect));
    catalog.unwrap_or_else(|error| panic!("{error:?}"))
}

fn agent(name: &str, rest: &str) -> String {
    alloc::format!("---\nname: {name}\ndescription: D\n{rest}---\nPrompt\n")
}

#[test]
fn merging_takes_missing_fields_from_lower_precedence() {
    let dialects = Dialects::embedded().with("kode", |dialect| dialect.clash = Clash::Merge);
    let files = Memory::default();
    files.write("h/.kode/agents/a.md", &agent("a", "model: weak\ncolor: red\n"));
    files.write(
        "p/.kode/agents/a.md",
        &agent("a", "tools: [Read]\nmodel: strong\n"),
    );
    let mut catalog = open(&files, &dialects, "kode");
    let (definition, origin) = catalog.get("a").expect("it is active");
    assert_eq!(definition.color.as_deref(), Some("red"));
    assert_eq!(
        definition.model,
        crate::definition::Model::Id("strong".to_string())
    );
    assert_eq!(origin.path.as_deref(), Some("p/.kode/agents/a.md"));
}

#[test]
fn agents_of_settings_are_read_again_with_the_files_that_they_name() {
    let files = Memory::default();
    files.write(
        "p/opencode.json",
        r#"{"agent": {"a": {"prompt": "{file:./a.txt}"}}}"#,
    );
    files.write("p/a.txt", "One.\n");
    let mut catalog = open(&files, &Dialects::embedded(), "opencode");
    let prompt = |catalog: &mut Catalog| {
        catalog
            .get("a")
            .map(|(definition, _)| definition.system_prompt.clone())
    };
    assert_eq!(prompt(&mut catalog).as_deref(), Some("One."));
    assert_eq!(catalog.refresh(), []);
    files.write("p/a.txt", "Two.");
    let changes: Vec<ChangeKind> = catalog.refresh().iter().map(|change| change.kind).collect();
    assert_eq!(changes, [ChangeKind::Changed]);
    assert_eq!(prompt(&mut catalog).as_deref(), Some("Two."));
    let values: Vec<String> = (0..crate::limits::YAML_NODES)
        .map(|at| alloc::format!(r#""t{at}": "deny""#))
        .collect();
    let text = alloc::format!(
        r#"{{"agent": {{"a": {{"permission": {{{}}}}}}}}}"#,
        values.join(", ")
    );
    files.write("p/opencode.json", &text);
    catalog.refresh();
    assert_eq!(catalog.explain("a").candidates[0].standing, Standing::Broken);
}

#[test]
fn files_that_settings_name_change_with_them() {
    let files = Memory::default();
    let table = |description: &str| {
        alloc::format!("[agents.a]\ndescription = \"{description}\"\nconfig_file = \"agents/a.toml\"\n")
    };
    files.write("p/.codex/agents/a.toml", "developer_instructions = \"One.\"\n");
    files.write("p/.codex/config.toml", &table("First"));
    let mut catalog = open(&files, &Dialects::embedded(), "codex");
    let described = |catalog: &mut Catalog| {
        let found = catalog.get("a").map(|(agent, _)| agent);
        found.map(|agent| [&*agent.description, &agent.system_prompt].join(": "))
    };
    assert_eq!(described(&mut catalog).as_deref(), Some("First: One."));
    assert_eq!(catalog.refresh(), []);
    files.write("p/.codex/config.toml", &table("Second"));
    assert_eq!(catalog.refresh().len(), 1);
    assert_eq!(described(&mut catalog).as_deref(), Some("Second: One."));
    files.write("p/.codex/agents/a.toml", "developer_instructions = \"Two.\"\n");
    assert_eq!(catalog.refresh().len(), 1);
    assert_eq!(described(&mut catalog).as_deref(), Some("Second: Two."));
    files.remove("p/.codex/config.toml");
    catalog.refresh();
    assert_eq!(described(&mut catalog), None);
}

#[test]
fn cards_without_names_are_those_of_the_project() {
    let dialects = Dialects::embedded().with("kode", |dialect| dialect.clash = Clash::Merge);
    let files = Memory::default();
    files.write("h/.kode/agents/a.md", &agent("a", "color: red\n"));
    files.write("h/.kode/agents/b.md", &agent("b", ""));
    files.write("p/.kode/agents/a.md", &agent("a", "tools: [Read]\n"));
    files.write("p/.kode/agents/two.md", &agent("Two_Two words", ""));
    files.write("p/.kode/agents/broken.md", "---\nname: [\n---\n");
    let mut catalog = open(&files, &dialects, "kode");
    let cards = catalog.cards(&[]);
    let names: Vec<&str> = cards.iter().map(|card| &*card.name).collect();
    assert_eq!(names, ["Two_Two words", "a"]);
    assert_eq!(cards[0].tags, ["two", "words"]);
    assert_eq!(cards[1].left_out, ["tools", "prompt"]);
    let cards = catalog.cards(&["b", "a", "a", "none"].map(ToString::to_string));
    let names: Vec<&str> = cards.iter().map(|card| &*card.name).collect();
    assert_eq!(names, ["a", "b"]);
    // Those of other folders are merged into agents that are named.
    assert_eq!(cards[0].left_out, ["tools", "color", "prompt"]);
}

#[test]
fn refresh_reports_changes() {
    let dialects = Dialects::embedded();
    let files = Memory::default();
    files.write("h/.kode/agents/a.md", &agent("a", ""));
    let mut catalog = open(&files, &dialects, "kode");
    let mut step = || -> Vec<(String, ChangeKind)> {
        let changes = catalog.refresh();
        changes
            .into_iter()
            .map(|change| (change.name, change.kind))
            .collect()
    };
    let one = |kind| alloc::vec![("a".to_string(), kind)];
    assert_eq!(step(), []);
    files.write("p/.kode/agents/a.md", &agent("a", ""));
    assert_eq!(step(), one(ChangeKind::NowWins));
    files.write("p/.kode/agents/a.md", &agent("a", "color: red\n"));
    assert_eq!(step(), one(ChangeKind::Changed));
    files.remove("h/.kode/agents/a.md");
    assert_eq!(step(), []);
    files.write("p/.kode/agents/a.md", "---\nname: a\n---\nPrompt\n");
    assert_eq!(step(), one(ChangeKind::Broke));
    files.write("p/.kode/agents/a.md", &agent("a", ""));
    assert_eq!(step(), one(ChangeKind::Fixed));
    files.remove("p/.kode/agents/a.md");
    assert_eq!(step(), one(ChangeKind::Vanished));
    files.write("p/.kode/agents/a.md", &agent("a", ""));
    assert_eq!(step(), one(ChangeKind::Appeared));
}

#[test]
fn the_cache_is_bounded_but_the_list_is_complete() {
    let dialects = Dialects::embedded();
    let files = Memory::default();
    for name in ["a", "b", "c"] {
        files.write(&alloc::format!("p/.kode/agents/{name}.md"), &agent(name, ""));
    }
    let mut catalog = open(&files, &dialects, "kode");
    assert_eq!(catalog.counters().parsed, 3);
    assert_eq!(catalog.counters().cached, 2);
    assert!(["a", "b", "c"].iter().all(|name| catalog.get(name).is_some()));
    assert_eq!(
        catalog
            .entries(true)
            .iter()
            .filter(|entry| entry.origin.path.is_some())
            .count(),
        3
    );
    let before = catalog.counters();
    assert!(catalog.get("c").is_some());
    let after = catalog.counters();
    assert_eq!((after.hits, after.parsed), (before.hits + 1, before.parsed));
}

#[test]
fn a_broken_winner_is_always_reported() {
    let dialects = Dialects::embedded();
    let files = Memory::default();
    files.write("h/.kode/agents/a.md", &agent("a", ""));
    files.write("p/.kode/agents/a.md", "---\nname: a\n---\nPrompt\n");
    let mut catalog = open(&files, &dialects, "kode");
    assert!(
        catalog
            .diagnostics()
            .iter()
            .any(|found| found.rule == "broken-winner")
    );
    assert_eq!(catalog.explain("a").candidates[0].standing, Standing::Broken);
    assert_eq!(catalog.explain("a").candidates[1].standing, Standing::Active);
    let mut closed = options("kode");
    closed.project.fail_closed = true;
    let mut closed =
        Catalog::open(Box::new(files), &dialects, closed).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(closed.explain("a").candidates[1].standing, Standing::Shadowed);
    assert!(!closed.names().contains(&"a".to_string()));
}
