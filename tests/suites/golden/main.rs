//! Every reader against what the real release did with thousands of files. `CALLSHEET_SHARED` names the folder that has
//! `golden/`, `corpus/` and `oracle/`; without it, there is nothing to do. `golden/disagreements.tsv` lists what is known
//! to differ, each with its cause.

mod outcome;
mod skills;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use callsheet_core::diagnostic::{Diagnostic, Severity};
use callsheet_core::dialect::{Dialect, Dialects, Kind, Level, Verdict as Consequence};
use callsheet_core::document;
use callsheet_core::reader::{Readers, read};
use callsheet_core::verdict::Outcome;
use flate2::read::GzDecoder;
use outcome::{Expected, differing};
use serde_json::Value;

/// What the golden files call each reader.
const SYSTEMS: [(&str, &str); 12] = [
    ("kode1", "kode@1.1.23"),
    ("kode2", "kode@2.0.2"),
    ("koders", "kode-rs@c978855"),
    ("kodersk", "kode-rs@82af2a0"),
    ("neovate", "neovate@0.27.1"),
    ("openhands", "openhands@1.58.0"),
    ("kodelet", "kodelet@19051b5"),
    ("claude-code", "claude-code@2.1.330"),
    ("copilot", "copilot@1.0.102"),
    ("gemini", "gemini-cli@0.61.0"),
    ("opencode", "opencode@1.18.33"),
    ("qwen", "qwen-code@0.24.4"),
];

/// The reader with separate cases, since its files are TOML.
const CODEX: &str = "codex@0.169.0";

/// The least agreement, in percent.
const CORPUS_AT_LEAST: f64 = 99.5;
const PROBES_AT_LEAST: f64 = 97.0;

/// A reader, the file and the fields that differ.
type Disagreement = (String, String, String);

#[test]
fn readers_agree_with_the_releases() {
    let Some(shared) = std::env::var_os("CALLSHEET_SHARED").map(PathBuf::from) else {
        say("skipped: CALLSHEET_SHARED does not say where golden/ is");
        return;
    };
    let files = corpus(&shared);
    let probes = probes(&shared);
    let mut found: BTreeSet<Disagreement> = BTreeSet::new();
    let mut poor = Vec::new();
    say("reader              corpus                   probes");
    let of_codex = hold_codex(&shared, &mut found);
    say(&format!("{CODEX:<18} {:>24}   {of_codex}", ""));
    if of_codex.percent() < PROBES_AT_LEAST {
        poor.push(CODEX);
    }
    for (system, reader) in SYSTEMS {
        let golden = shared.join("golden");
        let expected = lines(GzDecoder::new(open(&golden.join(format!("{system}.jsonl.gz")))));
        let of_corpus = hold(reader, &expected, &files, &mut found);
        let expected = lines(open(&golden.join("probes").join(format!("{system}.jsonl"))));
        let of_probes = hold(reader, &expected, &probes, &mut found);
        say(&format!("{reader:<18} {of_corpus}   {of_probes}"));
        if of_corpus.percent() < CORPUS_AT_LEAST || of_probes.percent() < PROBES_AT_LEAST {
            poor.push(reader);
        }
    }
    let known = known();
    let unlisted: Vec<&Disagreement> = found.difference(&known).collect();
    let gone: Vec<&Disagreement> = known.difference(&found).collect();
    for (reader, file, fields) in &unlisted {
        say(&format!("{reader}\t{file}\t{fields}"));
    }
    assert!(poor.is_empty(), "these agree too little: {poor:?}");
    assert!(
        unlisted.is_empty(),
        "{} disagreements are not listed",
        unlisted.len()
    );
    assert!(gone.is_empty(), "listed, but not found: {gone:?}");
}

/// Errors that stay where a file loads: what an agent may do, and what must not be in a file.
const NOT_ABOUT_LOADING: [&str; 9] = [
    "dangerous-hook",
    "foreign-server-tool",
    "foreign-tool",
    "idle-specifier",
    "provider-mismatch",
    "secret",
    "tool-list-form",
    "unknown-tool",
    "wrong-type",
];

/// Whether a file without frontmatter is reported as not an agent.
fn is_other_document(found: &Diagnostic) -> bool {
    found.rule == "no-frontmatter"
}

/// One of how many files is judged by the edition, too.
const EDITION_STEP: usize = 8;

/// The dialect that judges the files of a system: its own, unless that follows another release or its documents.
fn judge<'a>(reader: &str, dialects: &'a Dialects) -> &'a Dialect {
    let readers = Readers::embedded();
    let reader = readers
        .get(reader, Kind::Agent)
        .expect("every reader is embedded");
    let id = if reader.decides {
        &reader.dialect
    } else {
        &reader.id
    };
    dialects.get(id).expect("every reader has a dialect")
}

#[test]
fn verdicts_follow_the_releases() {
    let Some(shared) = std::env::var_os("CALLSHEET_SHARED").map(PathBuf::from) else {
        say("skipped: CALLSHEET_SHARED does not say where golden/ is");
        return;
    };
    let files = corpus(&shared);
    let dialects = Dialects::embedded();
    let mut wrong = Vec::new();
    for (system, reader) in SYSTEMS {
        let dialect = judge(reader, &dialects);
        let packed = open(&shared.join("golden").join(format!("{system}.jsonl.gz")));
        let mut unnamed = 0;
        for (at, expected) in lines(GzDecoder::new(packed)).iter().enumerate() {
            let bytes = &files[&expected.file];
            let found = Verdict::of(&expected.file, bytes, dialect, &dialects);
            unnamed += usize::from(found.unnamed);
            wrong.extend(found.contradicts(expected, dialect));
            // An edition is judged in the same way, so that a part of the files will do.
            if at % EDITION_STEP == 0 {
                let edition = dialects.get(reader).expect("every reader is a dialect");
                let found = Verdict::of(&expected.file, bytes, edition, &dialects);
                wrong.extend(found.contradicts(expected, edition));
            }
        }
        say(&format!(
            "{:<16} {unnamed:>5} refused for a reason that no other rule names",
            dialect.id
        ));
    }
    for line in &wrong {
        say(line);
    }
    assert!(wrong.is_empty(), "{} verdicts are wrong", wrong.len());
}

/// What a dialect says of a file.
struct Verdict {
    outcome: Outcome,
    /// The rule of an error that is about loading.
    denied_by: Option<&'static str>,
    is_explained: bool,
    unnamed: bool,
    ignores_fields: bool,
    is_described: bool,
}

impl Verdict {
    fn of(path: &str, bytes: &[u8], dialect: &Dialect, dialects: &Dialects) -> Self {
        let document = document::read(path, bytes, Some(Level::Project), dialect, dialects);
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let errors = || document.diagnostics.iter().filter(is_error);
        let denied_by = errors().find(|found| !NOT_ABOUT_LOADING.contains(&found.rule));
        Self {
            denied_by: denied_by.map(|found| found.rule),
            is_explained: errors().next().is_some() || document.diagnostics.iter().any(is_other_document),
            unnamed: errors().any(|found| found.rule == "refused-by-release"),
            ignores_fields: document.ignores_fields,
            is_described: !document.definition.description.is_empty(),
            outcome: document.outcome,
        }
    }

    /// How it differs from what the release does, or from itself.
    fn contradicts(&self, expected: &Expected, dialect: &Dialect) -> Option<String> {
        let loads = self.outcome.loads();
        let may_lose = loads && dialect.unread_frontmatter == Consequence::Ignored;
        let reason = match self.denied_by {
            _ if loads != expected.loads() => "the release differs".to_owned(),
            _ if self.ignores_fields && expected.has_description() => {
                "the release reads its fields".to_owned()
            }
            _ if self.is_described && may_lose && !expected.has_description() => {
                "the release reads none of its fields".to_owned()
            }
            // An error that costs all fields.
            Some(_) if self.ignores_fields => return None,
            Some(rule) if self.outcome == Outcome::Loads => format!("it loads, but {rule}"),
            _ if self.outcome.is_agent() && !loads && !self.is_explained => {
                "nothing says why it does not load".to_owned()
            }
            _ => return None,
        };
        Some(format!("{} {}: {reason}", dialect.id, expected.file))
    }
}

/// How many files agree.
struct Agreement {
    agree: usize,
    all: usize,
}

impl Agreement {
    fn count(&mut self, reader: &str, file: &str, fields: &[&str], found: &mut BTreeSet<Disagreement>) {
        self.all += 1;
        if fields.is_empty() {
            self.agree += 1;
        } else {
            found.insert((reader.to_owned(), file.to_owned(), fields.join(" ")));
        }
    }

    fn percent(&self) -> f64 {
        100.0 * self.agree as f64 / self.all.max(1) as f64
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            to,
            "{:>5} of {:<5} {:>7.3} %",
            self.agree,
            self.all,
            self.percent()
        )
    }
}

fn hold(
    reader: &str,
    expected: &[Expected],
    files: &BTreeMap<String, Vec<u8>>,
    found: &mut BTreeSet<Disagreement>,
) -> Agreement {
    let readers = Readers::embedded();
    let reader = readers
        .get(reader, Kind::Agent)
        .expect("every reader is embedded");
    let mut agreement = Agreement { agree: 0, all: 0 };
    for expected in expected.iter().filter(|expected| !expected.is_skipped()) {
        let bytes = files.get(&expected.file);
        let bytes = bytes.unwrap_or_else(|| panic!("{} is missing", expected.file));
        let path = if expected.file.ends_with(".md") {
            expected.file.clone()
        } else {
            format!("{}.md", expected.file)
        };
        let fields = differing(expected, &read(&path, bytes, reader));
        agreement.count(&reader.id, &expected.file, &fields, found);
    }
    agreement
}

/// Every file of Codex's cases, be it the one that the case is about or one beside it.
fn hold_codex(shared: &Path, found: &mut BTreeSet<Disagreement>) -> Agreement {
    let folder = shared.join("golden/codex");
    let text = fs::read_to_string(folder.join("cases.json")).expect("the cases are there");
    let cases: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(&text).expect("the cases are files by name");
    let readers = Readers::embedded();
    let reader = readers.get(CODEX, Kind::Agent).expect("every reader is embedded");
    let dialects = Dialects::embedded();
    let dialect = judge(CODEX, &dialects);
    let mut agreement = Agreement { agree: 0, all: 0 };
    for expected in lines(open(&folder.join("codex.jsonl"))) {
        let files = &cases[&expected.file];
        let held = files.iter().map(|(path, text)| {
            let name = path.rsplit_once('/').map_or(&**path, |(_, name)| name);
            if dialect.reads(name) {
                let held = read(path, text.as_bytes(), reader);
                let document = document::read(path, text.as_bytes(), None, dialect, &dialects);
                assert_eq!(
                    document.outcome.loads(),
                    held.is_ok(),
                    "{path}: the verdict differs"
                );
                held
            } else {
                Err(Outcome::NotAnAgent("not read".to_owned()))
            }
        });
        // Of several files, the first that loads gives the agent: a case expects one.
        let mut held: Vec<_> = held.collect();
        held.sort_by_key(Result::is_err);
        let fields = differing(&expected, &held[0]);
        agreement.count(&reader.id, &expected.file, &fields, found);
    }
    agreement
}

fn corpus(shared: &Path) -> BTreeMap<String, Vec<u8>> {
    let packed = open(&shared.join("corpus/corpus.tar.gz"));
    let mut archive = tar::Archive::new(GzDecoder::new(packed));
    let mut files = BTreeMap::new();
    for entry in archive.entries().expect("the corpus can be unpacked") {
        let mut entry = entry.expect("the corpus can be unpacked");
        let path = entry
            .path()
            .expect("the corpus has plain names")
            .display()
            .to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("the corpus can be unpacked");
        files.insert(path, bytes);
    }
    files
}

/// The synthetic cases. Two are not valid UTF-8, which JSON cannot contain.
fn probes(shared: &Path) -> BTreeMap<String, Vec<u8>> {
    let text = fs::read_to_string(shared.join("oracle/cases.json")).expect("the cases are there");
    let cases: BTreeMap<String, String> = serde_json::from_str(&text).expect("the cases are texts by name");
    let mut probes: BTreeMap<String, Vec<u8>> = cases
        .into_iter()
        .map(|(case, text)| (case, text.into_bytes()))
        .collect();
    probes.insert(
        "fm-badutf8".to_owned(),
        b"---\nname: fm-badutf8\ndescription: D\n---\n\nBody text.\n\xff\xfe bad\n".to_vec(),
    );
    probes.insert(
        "fm-badutf8-fm".to_owned(),
        b"---\nname: fm-badutf8-fm\ndescription: caf\xe9\n---\n\nBody\n".to_vec(),
    );
    probes
}

fn lines(reader: impl std::io::Read) -> Vec<Expected> {
    let lines = BufReader::new(reader).lines();
    let line = |line: std::io::Result<String>| -> Expected {
        let line = line.expect("the golden outcomes are text");
        let value: Value = serde_json::from_str(&line).expect("the golden outcomes are JSON");
        Expected::of(value)
    };
    lines.map(line).collect()
}

fn open(path: &Path) -> File {
    File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What is known to differ: reader, file, fields, cause.
fn known() -> BTreeSet<Disagreement> {
    let lines = include_str!("disagreements.tsv").lines();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [reader, file, fields, cause] if !cause.is_empty() => {
                (reader.to_owned(), file.to_owned(), fields.to_owned())
            }
            _ => panic!("not a reader, a file, its fields and a cause: {line}"),
        })
        .collect()
}

/// Prints, also where the test runner keeps what a test prints to itself.
fn say(text: &str) {
    // If the error stream is closed, there is no reader.
    let _ = writeln!(std::io::stderr(), "{text}");
}
