//! Rights of every combination of lists, and readers of compiled files.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::mark::{mark, marked};
use super::{Build, Composition, compose};
use crate::definition::{Definition, ToolFilter};
use crate::dialect::{Dialects, Format, Readers};
use crate::document;
use crate::files::{FileEntry, FileError, FileKind, Files, Stamp};
use crate::limits::COMPARED_ENTRIES;

/// The text of a file that cannot be read.
const DENIED: &str = "denied";

/// The files of one folder.
struct Folder(BTreeMap<String, String>);

impl Files for Folder {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        let names = self
            .0
            .keys()
            .filter_map(|file| file.strip_prefix(path)?.strip_prefix('/'));
        let entry = |name: &str| FileEntry {
            name: name.to_string(),
            kind: FileKind::File,
            stamp: Stamp::default(),
        };
        Ok(names.map(entry).collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let text = self.0.get(path).ok_or(FileError::NotFound)?;
        if text == DENIED {
            return Err(FileError::Denied);
        }
        Ok(text.as_bytes().to_vec())
    }
}

fn composed(dialects: &Dialects, base: &str, child: &str) -> Composition {
    let file = |name: &str, text: &str| {
        let text = format!("---\nname: {name}\n{text}---\n\nX.\n");
        (format!("a/{name}.md"), text)
    };
    let build = Build {
        project: None,
        directory: "a".to_string(),
        targets: Vec::from(["claude-code".to_string()]),
        ..Build::default()
    };
    let (path, text) = file("base", base);
    let folder = Folder(BTreeMap::from([
        (path.replace("a/", "a/_"), text),
        file("child", child),
    ]));
    compose(&folder, dialects, ".", &build).expect("the dialects are known")
}

/// Whether a tool is granted, by Claude Code's documentation: in the list, if there is one, and not denied.
fn grants(definition: &Definition, tool: &str) -> bool {
    let listed = match &definition.tools {
        ToolFilter::Absent | ToolFilter::All => true,
        ToolFilter::Null | ToolFilter::None => false,
        ToolFilter::Only(rules) => rules.iter().any(|rule| rule.tool == tool),
    };
    listed && !definition.denied_tools.iter().any(|rule| rule.tool == tool)
}

#[test]
fn nothing_is_granted_but_by_a_parent_or_an_addition() {
    let dialects = Dialects::embedded();
    let claude = dialects.get("claude-code").expect("it is built in");
    let lists = [
        "",
        "tools: []\n",
        "tools: '*'\n",
        "tools: Read\n",
        "tools: Read, Bash\n",
        "tools:\n",
    ];
    let denials = [
        "",
        "disallowedTools: []\n",
        "disallowedTools: Bash\n",
        "disallowedTools: [Bash, Read]\n",
    ];
    let changes = [
        "",
        ", add: { tools: [Bash] }",
        ", remove: { tools: [Read] }",
        ", remove: { disallowedTools: [Bash] }",
    ];
    let all = || {
        lists
            .iter()
            .flat_map(|list| denials.map(|denied| [list, denied].concat()))
    };
    let read = |text: &str| document::read("a.md", text.as_bytes(), None, claude, &dialects).definition;
    let (mut compiled, mut refused) = (0, 0);
    for base in all() {
        let base = format!("description: D\n{base}");
        let parent = read(&format!("---\nname: base\n{base}---\n"));
        for (own, change) in all().flat_map(|own| changes.map(|change| (own.clone(), change))) {
            let child = format!("{own}callsheet: {{ extends: _base.md{change} }}\n");
            let composition = composed(&dialects, &base, &child);
            let Some(output) = composition.sources[0].outputs.first() else {
                refused += 1;
                continue;
            };
            compiled += 1;
            let contents = output.contents.as_deref().expect("it is its own dialect");
            let definition = read(&String::from_utf8_lossy(contents));
            for tool in ["Bash", "Read"] {
                let added = tool == "Bash" && change.contains("add");
                let may = added || grants(&parent, tool);
                assert!(may || !grants(&definition, tool), "{tool}: {base} and {child}");
            }
        }
    }
    assert!(compiled > 500 && refused > 500, "{compiled} and {refused}");
}

#[test]
fn too_many_entries_are_not_compared() {
    let dialects = Dialects::embedded();
    let tools = |count: usize| {
        let tools: String = (0..count).map(|at| format!("  - Bash(x{at} *)\n")).collect();
        format!("description: D\ntools:\n{tools}")
    };
    for (entries, findings) in [(COMPARED_ENTRIES, 0), (COMPARED_ENTRIES + 1, 1)] {
        let composition = composed(&dialects, &tools(entries), "callsheet: { extends: _base.md }\n");
        let found = &composition.findings;
        assert_eq!(found.len(), findings, "{found:?}");
        assert!(found.iter().all(|found| found.rule == "unbuildable-source"));
    }
}

#[test]
fn a_source_that_cannot_be_read_is_not_gone() {
    let dialects = Dialects::embedded();
    let build = Build {
        project: None,
        directory: "a".to_string(),
        ..Build::default()
    };
    let compiled = |source: &str| marked("---\nname: x\n---\n", Format::Markdown, source);
    let folder = Folder(BTreeMap::from([
        (".claude/agents/denied.md".to_string(), compiled("a/denied.md")),
        (".claude/agents/gone.md".to_string(), compiled("a/gone.md")),
        (".claude/agents/other.md".to_string(), compiled("b/other.md")),
        ("a/denied.md".to_string(), DENIED.to_string()),
    ]));
    let composition = compose(&folder, &dialects, ".", &build).expect("the dialects are known");
    let left: Vec<&str> = composition.leftovers.iter().map(|left| &*left.path).collect();
    assert_eq!(left, [".claude/agents/gone.md"]);
}

#[test]
fn no_reader_is_confused_by_the_comment() {
    let (dialects, readers) = (Dialects::embedded(), Readers::embedded());
    for dialect in dialects.iter() {
        let text = match dialect.format {
            Format::Toml => "name = \"a\"\ndescription = \"D\"\ndeveloper_instructions = \"X.\"\n",
            Format::Markdown => "---\nname: a\ndescription: D\n---\n\nX.\n",
        };
        let ending = dialect.endings().next().unwrap_or_default();
        let place = format!("{}/a{ending}", crate::convert::directory(dialect));
        let seen = |text: &str| -> Vec<_> {
            let seen = document::readings(&place, text.as_bytes(), &dialects, &readers).into_iter();
            seen.map(|seen| (seen.reader.id.clone(), seen.fate, seen.agent))
                .collect()
        };
        for text in [text.to_string(), text.replace('\n', "\r\n")] {
            let compiled = marked(&text, dialect.format, "agents/a: b.md");
            let found = mark(compiled.as_bytes()).expect("it has one");
            assert_eq!((&*found.source, found.is_intact), ("agents/a: b.md", true));
            assert_eq!(seen(&text), seen(&compiled), "{place}");
        }
    }
}
