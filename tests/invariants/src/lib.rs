//! What is true of any bytes. The property tests and the fuzz targets call the same functions.

mod edits;
mod fixes;
mod options;
mod spans;
mod talk;
mod writing;

pub use edits::edited;
pub use options::options as command_options;
pub use talk::session;
pub use writing::writer;

use std::sync::LazyLock;

use callsheet_core::catalog::{Catalog, Options, Project};
use callsheet_core::convert::{self, ConvertError};
use callsheet_core::dialect::{CommandPatterns, Dialect, Dialects, Format, Level};
use callsheet_core::document::{self, Annotations, Hint, Parsed};
use callsheet_core::files::{FileEntry, FileError, FileKind, Files, Stamp};
use callsheet_core::frontmatter;
use callsheet_core::json;
use callsheet_core::permission::allow_command;
use callsheet_core::reader::{self, Readers};
use callsheet_core::source::Source;
use callsheet_core::span::Span;
use callsheet_core::verdict::Outcome;
use callsheet_core::yaml;

thread_local! {
    static DIALECTS: LazyLock<Dialects> = const { LazyLock::new(Dialects::embedded) };
}

/// Uses the built-in dialects.
pub fn with_dialects<T>(work: impl FnOnce(&Dialects) -> T) -> T {
    DIALECTS.with(|dialects| work(dialects))
}

/// Where the dialect would look for this file.
pub fn path_of(dialect: &Dialect) -> String {
    let owned = dialect.sources.iter().find(|source| source.owned);
    owned.map_or_else(
        || "x.md".to_owned(),
        |source| format!("{}/x.md", source.directory),
    )
}

/// The splitter's parts are in order and inside the text.
pub fn splitter(bytes: &[u8]) {
    let source = Source::new(bytes);
    let text = &*source.text;
    let start = source.byte_order_mark().map_or(0, |mark| mark.end.index());
    let parts = frontmatter::split(text, start);
    spans::inside(text, parts.body, "body");
    assert_eq!(parts.body.end.index(), text.len(), "the body goes to the end");
    if let Some(frontmatter) = parts.frontmatter {
        spans::inside(text, frontmatter.opening, "opening fence");
        spans::inside(text, frontmatter.yaml, "yaml");
        assert!(
            frontmatter.opening.end <= frontmatter.yaml.start,
            "the fence opens the YAML"
        );
        // `+++` opens no YAML: the whole file is body.
        if !frontmatter.yaml.is_empty() {
            assert!(
                frontmatter.yaml.end <= parts.body.start,
                "the YAML comes before the body"
            );
        }
    }
}

/// In every reading, each node is inside the text.
pub fn yaml(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(document) = yaml::read(&text, 0) {
        spans::document(&text, &document);
    }
    let known = |key: &str| with_dialects(|dialects| dialects.knows_key(dialects.of_file("", ""), key));
    let ladder = yaml::climb(&text, Span::new(0, text.len()), &known);
    spans::document(&text, &ladder.document);
}

/// Every reader finishes on any bytes, and gives a reason for what it drops.
pub fn readers(bytes: &[u8]) {
    thread_local! {
        static READERS: LazyLock<Readers> = const { LazyLock::new(Readers::embedded) };
    }
    READERS.with(|readers| {
        for reader in readers.iter() {
            match reader::read("x.md", bytes, reader) {
                Ok(reading) => assert!(reading.outcome.loads(), "{}: {reading:?}", reader.id),
                Err(Outcome::Dropped(reason) | Outcome::NotAnAgent(reason)) => {
                    assert!(!reason.is_empty(), "{}: dropped without a reason", reader.id);
                }
                Err(outcome) => panic!("{}: {outcome:?}", reader.id),
            }
        }
    });
}

/// In every dialect, each offset has completions that replace a word around it, or none.
pub fn completions(bytes: &[u8]) {
    with_dialects(|dialects| {
        for dialect in dialects.iter() {
            for at in 0..=bytes.len() + 1 {
                let names = |_| vec![("name".to_owned(), String::new())];
                let found = document::completions(bytes, at, dialect, Level::Project, &names);
                if found.words.is_empty() {
                    continue;
                }
                let span = found.span.range();
                assert!(span.start <= at && at <= span.end, "{at} is outside of {span:?}");
                let text = std::str::from_utf8(bytes).expect("only valid text has completions");
                assert!(text.get(span.clone()).is_some(), "{span:?} cuts a character");
                assert!(found.words.iter().all(|word| !word.text.is_empty()));
            }
        }
    });
}

/// Every dialect reads the same bytes twice with the same result; every place is inside the file; every safe fix works.
pub fn definition(bytes: &[u8]) {
    with_dialects(|dialects| {
        for dialect in dialects.iter() {
            definition_of(bytes, dialect, dialects);
        }
    });
}

fn definition_of(bytes: &[u8], dialect: &Dialect, dialects: &Dialects) {
    let read = || parse(bytes, dialect, dialects);
    let parsed = read();
    assert_eq!(
        format!("{parsed:?}"),
        format!("{:?}", read()),
        "reading twice gives the same"
    );
    spans::parsed(bytes, &parsed);
    fixes::check(bytes, &parsed, |bytes| parse(bytes, dialect, dialects));
    let shown = document::annotations(&path_of(dialect), bytes, Some(&dialect.id), None, dialects);
    annotations(bytes, &shown.expect("the dialect is known"));
}

/// They are in order, apart from each other, and cut no character.
fn annotations(bytes: &[u8], shown: &Annotations) {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let mut end = 0;
    for token in &shown.tokens {
        let span = token.span.range();
        assert!(
            end <= span.start && !span.is_empty(),
            "{span:?} begins before {end}"
        );
        assert!(text.get(span.clone()).is_some(), "{span:?} cuts a character");
        end = span.end;
    }
    assert!(shown.hints.is_sorted_by_key(|hint| hint.at));
    let is_place = |hint: &Hint| text.is_char_boundary(hint.at.index()) && !hint.text.is_empty();
    assert!(shown.hints.iter().all(is_place), "{:?}", shown.hints);
}

/// The dialects in TOML read any bytes twice with the same result; every place is inside the file; every safe fix works.
pub fn toml(bytes: &[u8]) {
    with_dialects(|dialects| {
        for dialect in dialects.iter().filter(|dialect| dialect.format == Format::Toml) {
            definition_of(bytes, dialect, dialects);
        }
    });
}

/// A file converts to every other dialect that can express it, loads there, and comes with a report.
pub fn convert(bytes: &[u8]) {
    with_dialects(|dialects| {
        for from in dialects.iter() {
            let fields = parse(bytes, from, dialects).document.definition.fields.len();
            for to in dialects.iter() {
                converted(bytes, from, to, fields, dialects);
            }
        }
    });
}

fn converted(bytes: &[u8], from: &Dialect, to: &Dialect, fields: usize, dialects: &Dialects) {
    let shown = || format!("{} to {}: {:?}", from.id, to.id, String::from_utf8_lossy(bytes));
    match convert::convert(&path_of(from), bytes, Some(&from.id), &to.id, true, dialects) {
        Ok(result) if from.id != to.id => {
            let again = parse(&result.contents, to, dialects).document;
            assert_eq!(again.outcome, Outcome::Loads, "{}", shown());
            assert!(fields == 0 || !result.report.is_empty(), "{}", shown());
        }
        Ok(result) => assert_eq!(result.contents, bytes, "{}", shown()),
        Err(ConvertError::Unusable(reason)) => assert!(!reason.is_empty(), "{}", shown()),
        Err(ConvertError::Refused(report)) => assert!(!report.is_empty(), "{}", shown()),
        Err(ConvertError::UnknownDialect(_)) => panic!("{}", shown()),
    }
}

/// Reads the bytes as one dialect does.
pub fn parse(bytes: &[u8], dialect: &Dialect, dialects: &Dialects) -> Parsed {
    let parsed = document::parse(&path_of(dialect), bytes, Some(&dialect.id), None, dialects);
    parsed.expect("the dialect is one of them")
}

/// Any bytes are a command line that is allowed or denied; what no pattern allows is denied.
pub fn command(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    let judge = |patterns: &[&str]| {
        let patterns: Vec<String> = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
        let one = allow_command(&patterns, CommandPatterns::Prefix, &line);
        let other = allow_command(&patterns, CommandPatterns::Glob, &line);
        // `:*` is an end that only prefixes have, redirections aside: no line could repeat it as text.
        let ends = patterns.iter().any(|pattern| pattern.contains(":*"));
        assert!(
            other.is_err() || one.is_ok() || ends,
            "a prefix is the wider one: {line:?}"
        );
        one.is_ok()
    };
    let wide = judge(&["ok *", "env *", "xargs ok", &line]);
    let narrow = judge(&["ok *"]);
    assert!(wide || !narrow, "more patterns allow more: {line:?}");
    let mut evil = "evil".to_owned();
    while line.contains(&evil) {
        // It would end a here-document of that name.
        evil.push('l');
    }
    let more = allow_command(
        &["ok *".to_owned()],
        CommandPatterns::Prefix,
        // One line end may be escaped.
        &format!("{line}\n\n{evil}"),
    );
    assert!(more.is_err(), "{line:?}");
    json::parse(&line).ok();
}

/// A catalog of any files has at most one winner for each name, in every call.
pub fn resolver(bytes: &[u8]) {
    with_dialects(|dialects| {
        for dialect in dialects.iter() {
            catalog(bytes, dialect, dialects);
        }
    });
}

fn catalog(bytes: &[u8], dialect: &Dialect, dialects: &Dialects) {
    let files = Heap::new(bytes);
    let mut catalog =
        Catalog::open(Box::new(files), dialects, options(dialect)).expect("there are no inline agents");
    let names = catalog.names();
    assert!(
        names.windows(2).all(|pair| pair[0] < pair[1]),
        "names are sorted, each once: {names:?}"
    );
    assert_eq!(
        catalog.entries(false).len(),
        names.len(),
        "one active entry for each name"
    );
    for entry in catalog.entries(true) {
        catalog.explain(&entry.name);
        let got = catalog.get(&entry.name).is_some();
        assert_eq!(
            got,
            names.contains(&entry.name),
            "{} is found if it is active",
            entry.name
        );
        catalog.grants(&entry.name, &["Read".to_owned(), "Bash".to_owned()]);
    }
    assert_eq!(catalog.get("").is_some(), names.contains(&String::new()));
    catalog.search("revewer", 5);
    catalog.diagnostics();
    assert_eq!(catalog.refresh(), [], "nothing changed");
}

fn options(dialect: &Dialect) -> Options {
    Options {
        dialect: dialect.id.clone(),
        kind: dialect.kind,
        project: Project {
            directory: "project".to_owned(),
            ancestors: vec!["..".to_owned()],
            home: Some("home".to_owned()),
            directories: vec!["more".to_owned()],
            ..Project::default()
        },
        cache_capacity: 2,
        check: true,
    }
}

/// The same few files in every folder: the bytes, cut at each NUL.
struct Heap(Vec<Vec<u8>>);

impl Heap {
    fn new(bytes: &[u8]) -> Self {
        Self(
            bytes
                .split(|byte| *byte == 0)
                .take(8)
                .map(<[u8]>::to_vec)
                .collect(),
        )
    }
}

impl Files for Heap {
    fn list(&self, _: &str) -> Result<Vec<FileEntry>, FileError> {
        let entry = |(number, contents): (usize, &Vec<u8>)| FileEntry {
            name: format!("{number}.md"),
            kind: FileKind::File,
            stamp: Stamp {
                size: contents.len() as u64,
                modified: Some(1),
            },
        };
        Ok(self.0.iter().enumerate().map(entry).collect())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        let (_, file) = path.rsplit_once('/').unwrap_or(("", path));
        let number = file
            .strip_suffix(".md")
            .and_then(|number| number.parse::<usize>().ok());
        number
            .and_then(|number| self.0.get(number).cloned())
            .ok_or(FileError::NotFound)
    }
}
