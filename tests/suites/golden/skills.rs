//! The skills that every release lists, against the catalog of its edition.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use callsheet_core::catalog::{Catalog, Options, Project, Standing};
use callsheet_core::dialect::{Dialects, Kind};
use callsheet_tests::commands::Settings;
use callsheet_tests::disk::Disk;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Agreement, say};

/// What the golden files call each release, the release, and the folder of the skills there.
const SYSTEMS: [(&str, &str, &str); 5] = [
    ("codex", "codex@0.169.0", ".agents/skills"),
    ("copilot", "copilot@1.0.102", ".github/skills"),
    ("gemini", "gemini-cli@0.61.0", ".gemini/skills"),
    ("opencode", "opencode@1.18.33", ".opencode/skills"),
    ("qwen", "qwen-code@0.24.4", ".qwen/skills"),
];

/// The least agreement, in percent.
const AT_LEAST: f64 = 97.0;

/// A skill as a release lists it: its name, its description, and the fingerprint of its prompt where that is known.
type Listed = (String, String, Option<String>);

#[test]
fn editions_list_the_skills_that_the_releases_list() {
    let Some(shared) = std::env::var_os("CALLSHEET_SHARED").map(PathBuf::from) else {
        say("skipped: CALLSHEET_SHARED does not say where golden/ is");
        return;
    };
    let folder = shared.join("golden/skills");
    let text = fs::read_to_string(folder.join("cases.json")).expect("the cases are there");
    let cases: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(&text).expect("the cases are files by name");
    let mut poor = Vec::new();
    for (system, release, place) in SYSTEMS {
        let text = fs::read_to_string(folder.join(format!("{system}.jsonl"))).expect("it is there");
        let (mut agreement, mut found) = (Agreement { agree: 0, all: 0 }, BTreeSet::new());
        for line in text.lines() {
            let expected: Value = serde_json::from_str(line).expect("every line is JSON");
            let case = expected["case"].as_str().expect("it has a name");
            let listed = list(release, place, &cases[case]);
            let fields = differing(&expected, &listed);
            agreement.count(release, case, &fields, &mut found);
        }
        say(&format!("{release:<18} skills {agreement}"));
        for (_, case, fields) in found {
            say(&format!("{release}\t{case}\t{fields}"));
        }
        if agreement.percent() < AT_LEAST {
            poor.push(release);
        }
    }
    assert!(poor.is_empty(), "these agree too little: {poor:?}");
}

/// The skills that an edition loads from the files of a case: the active ones, and those of equal names.
fn list(release: &str, place: &str, files: &BTreeMap<String, String>) -> (BTreeSet<Listed>, usize) {
    let folder = tempfile::tempdir().expect("there is room");
    let place = folder.path().join(place);
    for (file, text) in files {
        write(&place.join(file), text);
    }
    let options = Options {
        dialect: release.to_owned(),
        kind: Kind::Skill,
        project: Project {
            directory: folder.path().display().to_string(),
            ..Project::default()
        },
        cache_capacity: 8,
        check: false,
    };
    let disk = Disk::new(&Settings::of_project(&options.project.directory), &[]);
    let opened = Catalog::open(Box::new(disk), &Dialects::embedded(), options);
    let mut catalog = opened.unwrap_or_else(|error| panic!("{release}: {error:?}"));
    let entries = catalog.entries(true);
    let loaded = entries
        .iter()
        .filter(|entry| matches!(entry.standing, Standing::Active | Standing::Shadowed));
    let listed = loaded.clone().map(|entry| {
        let active = entry.standing == Standing::Active;
        let prompt = active.then(|| catalog.get(&entry.name)).flatten();
        let prompt = prompt.map(|(definition, _)| fingerprint(&definition.system_prompt));
        (entry.name.clone(), entry.description.clone(), prompt)
    });
    (listed.collect(), loaded.count())
}

fn differing(expected: &Value, (listed, _): &(BTreeSet<Listed>, usize)) -> Vec<&'static str> {
    let skills = match expected["skills"].as_array() {
        Some(skills) => skills.clone(),
        None if expected["loaded"] == true => vec![expected.clone()],
        None => Vec::new(),
    };
    if skills.is_empty() != listed.is_empty() {
        return vec!["loaded"];
    }
    let has = |key: &str, of: fn(&Listed) -> &str| {
        skills.iter().all(|skill| {
            let expected = skill[key].as_str().unwrap_or_default();
            listed.iter().any(|listed| of(listed) == expected)
        })
    };
    let is_prompt = |skill: &Value| {
        let prompt = skill["prompt_sha256"].as_str();
        let mut known = listed.iter().filter_map(|(.., prompt)| prompt.as_deref());
        prompt.is_none() || known.any(|known| Some(known) == prompt)
    };
    let same = [
        ("name", has("name", |(name, ..)| name)),
        (
            "description",
            has("description", |(_, description, _)| description),
        ),
        ("prompt", skills.iter().any(is_prompt) || skills.is_empty()),
    ];
    let differing = same.into_iter().filter(|(_, same)| !same);
    differing.map(|(field, _)| field).collect()
}

fn fingerprint(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
    fs::write(path, text).expect("there is room");
}
