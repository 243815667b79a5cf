//! Thousands of real agent files through the component. `CALLSHEET_SHARED` names the folder that has `corpus/`; the
//! files are unpacked to a temporary folder and never come near the project. Without it, there is nothing to do.

mod noise;
mod yardstick;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use callsheet::Callsheet;
use callsheet::documents::Parsed;
use callsheet::types::Agent;
use callsheet_core::frontmatter;
use callsheet_core::yaml::{self, Node, Reading};
use callsheet_tests::measure;
use serde_yaml::Value;
use tempfile::TempDir;

struct Corpus {
    folder: TempDir,
    paths: Vec<String>,
    /// Each file with the family of products that it is for, and its kind: current, past or test.
    kinds: Vec<(String, String, String)>,
}

impl Corpus {
    fn unpack() -> Option<Self> {
        let Some(shared) = std::env::var_os("CALLSHEET_SHARED") else {
            say("skipped: CALLSHEET_SHARED does not say where corpus/ is");
            return None;
        };
        let corpus = PathBuf::from(shared).join("corpus");
        let folder = tempfile::tempdir().expect("there is room for the corpus");
        let packed = File::open(corpus.join("corpus.tar.gz")).expect("the corpus is there");
        let unpacked = tar::Archive::new(flate2::read::GzDecoder::new(packed)).unpack(folder.path());
        unpacked.expect("the corpus can be unpacked");
        let manifest = fs::read_to_string(corpus.join("manifest.tsv")).expect("the manifest is there");
        let rows = manifest
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect::<Vec<&str>>());
        let kinds: Vec<(String, String, String)> = rows
            .map(|row| (row[0].to_owned(), row[6].to_owned(), row[7].to_owned()))
            .collect();
        let paths = kinds.iter().map(|(path, _, _)| path.clone()).collect();
        Some(Self { folder, paths, kinds })
    }

    fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}

#[test]
fn real_files_are_parsed_without_errors() {
    let Some(corpus) = Corpus::unpack() else { return };
    let mut callsheet = library(corpus.folder.path());
    let mut tally = Tally::default();
    // Skills are named after their folders.
    for path in corpus.paths.iter().filter(|path| !path.ends_with("/SKILL.md")) {
        let bytes = corpus.bytes(path);
        let (time, parsed) = measure::thread(|| callsheet.parse(path, &bytes, Some("claude-code")));
        tally.time += time;
        match parsed {
            Ok(parsed) => tally.file(path, &bytes, &parsed),
            Err(error) => tally.wrong.push(format!("{path}: {error}")),
        }
    }
    tally.print();
    assert!(
        tally.wrong.is_empty(),
        "{} files:\n{}",
        tally.wrong.len(),
        tally.wrong.join("\n")
    );
}

fn library(project: &Path) -> Callsheet {
    let project = project.to_string_lossy().into_owned();
    let callsheet = Callsheet::builder().project(project).without_home().build();
    callsheet.expect("the component is embedded")
}

/// We read all frontmatter that serde_yaml reads, with the same texts and lists of texts.
#[test]
fn yaml_agrees_with_serde_yaml() {
    let Some(corpus) = Corpus::unpack() else { return };
    let (mut compared, mut wrong) = (0, Vec::new());
    for path in &corpus.paths {
        let bytes = corpus.bytes(path);
        let text = String::from_utf8_lossy(&bytes);
        let Some(map) = yardstick::mapping(&text) else {
            continue;
        };
        let ours = ours(&text);
        for (key, value) in map {
            let Some(key) = key.as_str() else { continue };
            let same = match ours.as_ref().and_then(|ours| ours.get(key)) {
                Some(node) => equal(node, &value),
                None => false,
            };
            compared += 1;
            if !same {
                wrong.push(format!("{path}: {key}: {value:?}"));
            }
        }
    }
    say(&format!("{compared} values compared with serde_yaml"));
    assert!(wrong.is_empty(), "{} values:\n{}", wrong.len(), wrong.join("\n"));
}

fn ours(text: &str) -> Option<Node> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let frontmatter = frontmatter::split(text, start).frontmatter?;
    let ladder = yaml::climb(text, frontmatter.yaml, &|_| false);
    ladder.document.root.filter(|_| ladder.reading == Reading::Strict)
}

/// Compares texts and lists; what numbers and the like mean is the dialect's affair.
fn equal(node: &Node, value: &Value) -> bool {
    match value {
        Value::String(text) => node.as_text() == Some(text.as_str()),
        Value::Sequence(values) => node.items().is_some_and(|items| {
            items.len() == values.len() && items.iter().zip(values).all(|(item, value)| equal(item, value))
        }),
        Value::Mapping(map) => node.entries().len() == map.len(),
        _ => node.as_text().is_some(),
    }
}

#[derive(Default)]
struct Tally {
    files: usize,
    time: Duration,
    /// Values that the yardstick finds and we find, too.
    recovered: BTreeMap<&'static str, usize>,
    readings: BTreeMap<String, usize>,
    rules: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn file(&mut self, path: &str, bytes: &[u8], parsed: &Parsed) {
        self.files += 1;
        *self.readings.entry(format!("{:?}", parsed.reading)).or_default() += 1;
        for diagnostic in &parsed.diagnostics {
            *self.rules.entry(diagnostic.rule.clone()).or_default() += 1;
        }
        for expected in yardstick::values(&String::from_utf8_lossy(bytes)) {
            let found = parsed
                .agent
                .as_ref()
                .map_or("", |agent| value(agent, expected.key));
            if expected.fits(found) {
                *self.recovered.entry(expected.how()).or_default() += 1;
            } else {
                self.wrong.push(format!("{path}: {expected:?}, found {found:?}"));
            }
        }
    }

    fn print(&self) {
        let each = self.time / u32::try_from(self.files).unwrap_or(1).max(1);
        say(&format!(
            "{} files in {:?} of CPU time, {each:?} each",
            self.files, self.time
        ));
        say(&format!("values recovered: {:?}", self.recovered));
        say(&format!("readings: {:?}", self.readings));
        let mut rules: Vec<(&String, &usize)> = self.rules.iter().collect();
        rules.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let rules = rules.iter().map(|(rule, count)| format!("{count:>6}  {rule}"));
        say(&rules.collect::<Vec<_>>().join("\n"));
    }
}

/// Prints, also where the test runner keeps what a test prints to itself.
fn say(text: &str) {
    // If the error stream is closed, there is no reader.
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn value<'a>(agent: &'a Agent, key: &str) -> &'a str {
    match key {
        "name" => &agent.name,
        _ => &agent.description,
    }
}
