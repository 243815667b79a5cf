//! What rulesync writes for its sources, compared with conversions of them. `CALLSHEET_RULESYNC` names the program: `dist/cli/index.js` of
//! the npm package `rulesync`, release 17.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use callsheet_core::convert::{ConvertError, convert};
use callsheet_core::dialect::{Dialect, Dialects, Kind};
use serde_json::Value;

/// The content of an agent file: its keys, and the prompt.
fn content(name: &str, text: &str) -> (Value, String) {
    if name.ends_with(".toml") {
        let mut keys: Value = toml::from_str(text).expect("it is TOML");
        // Of several lines, rulesync adds a line end.
        let prompt = keys["developer_instructions"].take();
        return (keys, prompt.as_str().unwrap_or_default().trim().to_owned());
    }
    let rest = text.strip_prefix("---\n").expect("it has frontmatter");
    let (yaml, body) = rest.split_once("\n---").expect("the frontmatter is closed");
    let keys = serde_yaml::from_str(&format!("{yaml}\n")).expect("it is YAML");
    (keys, body.trim().to_owned())
}

fn compare(dialect: &Dialect, source: &Path, made: &Path, dialects: &Dialects) -> Option<&'static str> {
    let name = source.file_name().expect("a file").to_string_lossy();
    let path = format!(".rulesync/subagents/{name}");
    let bytes = fs::read(source).expect("it can be read");
    let stem = name.strip_suffix(".agent.md").or(name.strip_suffix(".md"));
    let folders = dialect.own_directories().map(|folder| made.join(folder));
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let files: BTreeMap<String, PathBuf> = entries
        .map(|entry| entry.expect("an entry"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    let stem_of = |file: &str| file.split('.').next().map(ToOwned::to_owned);
    let theirs = files.iter().find(|(file, _)| stem_of(file).as_deref() == stem);
    let theirs = theirs.map(|(file, path)| (file, fs::read_to_string(path).expect("it is text")));
    match (convert(&path, &bytes, None, &dialect.id, false, dialects), theirs) {
        (Ok(ours), Some((file, theirs))) => {
            assert_eq!(ours.file, *file);
            let text = String::from_utf8(ours.contents).expect("it is text");
            let (ours, theirs) = (content(file, &text), content(file, &theirs));
            // An empty list of Copilot's is left out by rulesync, which grants all tools.
            if name == "empty-tools.md" && dialect.id == "copilot" {
                assert_eq!(theirs.0.get("tools"), None);
                return None;
            }
            assert_eq!(ours, theirs, "{path} for {}", dialect.id);
            Some("same")
        }
        (Err(ConvertError::Unusable(_)), None) => Some("none"),
        (Err(ConvertError::Refused(report)), None) if report[0].field == "targets" => Some("none"),
        // It would not load: rulesync writes it nevertheless.
        (Err(ConvertError::Refused(report)), Some(_)) if report.iter().any(|loss| loss.field == "file") => {
            Some("refused")
        }
        // rulesync reads a list in place of a section as an empty one.
        (Err(ConvertError::Unusable(_)), Some(_)) if name == "section-is-text.md" => None,
        (ours, theirs) => panic!("{path} for {}: {ours:?}, rulesync: {theirs:?}", dialect.id),
    }
}

#[test]
fn sources_of_rulesync_become_what_it_writes() {
    let Some(program) = std::env::var_os("CALLSHEET_RULESYNC") else {
        return;
    };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rulesync");
    let room = tempfile::tempdir().expect("a folder can be made");
    let sources = room.path().join(".rulesync/subagents");
    fs::create_dir_all(&sources).expect("a folder can be made");
    let mut files: Vec<_> = fs::read_dir(data)
        .expect("it is there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for file in &files {
        fs::copy(file, sources.join(file.file_name().expect("a file"))).expect("it can be copied");
    }
    let dialects = Dialects::embedded();
    let of = |dialect: &&Dialect| dialect.rulesync.is_some();
    let dialects_there: Vec<&Dialect> = dialects
        .of(Kind::Agent)
        .map(|dialect| &**dialect)
        .filter(of)
        .collect();
    let targets: Vec<&str> = dialects_there
        .iter()
        .filter_map(|dialect| Some(&*dialect.rulesync.as_ref()?.name))
        .collect();
    let run = Command::new("node")
        .arg(program)
        .args([
            "generate",
            "--features",
            "subagents",
            "--targets",
            &targets.join(","),
        ])
        .current_dir(room.path())
        .env("HOME", room.path())
        .output()
        .expect("node runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in &files {
        for dialect in &dialects_there {
            if let Some(outcome) = compare(dialect, file, room.path(), &dialects) {
                *counts.entry(outcome).or_default() += 1;
            }
        }
    }
    println!("{} files for {} tools: {counts:?}", files.len(), targets.len());
}
