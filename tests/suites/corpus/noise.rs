//! How often each rule finds something in real files, and how often that is so: the tables in `docs/noise.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use callsheet::Callsheet;
use callsheet::types::{Level, Severity};
use callsheet_core::dialect::Dialects;
use callsheet_core::rules::RULES;
use callsheet_tests::references;
use serde::Deserialize;

use super::{Corpus, say};

const INTRODUCTION: &str = "# Noise

How often each rule finds something in current agent files of public collections, without test files, old files and files of
unsupported products. The files of one folder form one catalog. Written by the test `corpus`, with `BLESS=1`, where the collections
are available.

";

const PRECISION: &str = "
## Precision

Findings that `cargo xtask sample` drew from the projects of the same collections, except earlier versions, up to 100 of each rule
and severity. Each was read and judged by hand: whether it is true for the tool that owns the file. The rules were written with
these collections in view, so the figures do not predict others.

| rule | severity | drawn | of | true | what was found |
|---|---|---:|---:|---:|---|
";

/// Findings of one rule that were judged by hand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    rule: String,
    severity: String,
    drawn: usize,
    total: usize,
    r#true: usize,
    form: String,
}

#[derive(Deserialize)]
struct Judgements {
    judged: Vec<Judged>,
}

#[derive(Default)]
struct Count {
    errors: usize,
    warnings: usize,
    notes: usize,
    files: BTreeSet<String>,
}

#[test]
fn the_noise_report_is_up_to_date() {
    let Some(corpus) = Corpus::unpack() else { return };
    let (files, counts) = count(&corpus);
    let references = references::section(&references::projects(), &references::known());
    let table = table(files, &counts) + &precision() + &references;
    say(&table);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/noise.md");
    if std::env::var_os("BLESS").is_some_and(|value| !value.is_empty() && value != "0") {
        fs::write(&path, &table).expect("the documentation can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, table, "docs/noise.md is stale: run with BLESS=1");
}

fn count(corpus: &Corpus) -> (usize, BTreeMap<String, Count>) {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut files = 0;
    for (number, ((dialect, _), paths)) in catalogs(corpus).into_iter().enumerate() {
        files += paths.len();
        let project = corpus.folder.path().join(format!("catalog-{number}"));
        let mut callsheet = library(&project);
        let locations = callsheet.locations(&dialect).expect("it is a dialect");
        let own = locations.iter().find(|it| it.owned && it.level == Level::Project);
        let folder = Path::new(&own.expect("every dialect has a place in the project").directory).to_owned();
        fs::create_dir_all(&folder).expect("there is room");
        for path in &paths {
            let name = Path::new(path).file_name().expect("it is a file");
            fs::copy(corpus.folder.path().join(path), folder.join(name)).expect("there is room");
        }
        let mut catalog = callsheet.open(&dialect).expect("it can be opened");
        for diagnostic in catalog.diagnostics().expect("it has been read") {
            let count = counts.entry(diagnostic.rule).or_default();
            match diagnostic.severity {
                Severity::Error => count.errors += 1,
                Severity::Warning => count.warnings += 1,
                Severity::Note => count.notes += 1,
            }
            count.files.insert(diagnostic.primary.place.path);
        }
    }
    (files, counts)
}

/// The files of today by dialect and folder.
fn catalogs(corpus: &Corpus) -> BTreeMap<(String, String), Vec<String>> {
    let dialects = Dialects::embedded();
    let mut catalogs: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (path, family, kind) in &corpus.kinds {
        let full = [family, &format!("{family}-code"), &format!("{family}-cli")].map(|id| dialects.get(id));
        let Some(dialect) = full.into_iter().find_map(Result::ok).filter(|_| kind == "head") else {
            continue;
        };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let key = (dialect.id.clone(), folder.to_owned());
        catalogs.entry(key).or_default().push(path.clone());
    }
    catalogs
}

fn library(project: &Path) -> Callsheet {
    fs::create_dir_all(project).expect("there is room");
    let project = project.to_string_lossy().into_owned();
    let callsheet = Callsheet::builder()
        .project(project)
        .without_home()
        .check(true)
        .build();
    callsheet.expect("the component is embedded")
}

fn table(files: usize, counts: &BTreeMap<String, Count>) -> String {
    let mut table = INTRODUCTION.to_owned();
    let total: usize = counts
        .values()
        .map(|count| count.errors + count.warnings + count.notes)
        .sum();
    let _ = writeln!(table, "{total} findings in {files} files.\n");
    table.push_str("| rule | errors | warnings | notes | files |\n|---|---:|---:|---:|---:|\n");
    for rule in RULES {
        let none = Count::default();
        let count = counts.get(rule.name).unwrap_or(&none);
        let (errors, warnings, notes) = (count.errors, count.warnings, count.notes);
        let _ = writeln!(
            table,
            "| [`{0}`](rules.md#{0}) | {errors} | {warnings} | {notes} | {1} |",
            rule.name,
            count.files.len()
        );
    }
    table
}

fn precision() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/precision.toml");
    let text = fs::read_to_string(path).expect("the judgements are there");
    let judgements: Judgements = toml::from_str(&text).expect("they are TOML");
    let mut table = PRECISION.to_owned();
    for judged in &judgements.judged {
        let Judged {
            rule,
            severity,
            drawn,
            total,
            r#true,
            form,
        } = judged;
        assert!(
            RULES.iter().any(|known| known.name == rule),
            "unknown rule {rule}"
        );
        assert!(
            r#true * 20 >= drawn * 19,
            "{rule}: {0} of {drawn} are true",
            r#true
        );
        let _ = writeln!(
            table,
            "| [`{rule}`](rules.md#{rule}) | {severity} | {drawn} | {total} | {0} | {form} |",
            r#true
        );
    }
    table
}
