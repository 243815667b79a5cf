//! Every rule has a folder of cases, `cases/rules/<rule>/`; at least one of them finds it.

use std::fs;
use std::path::{Path, PathBuf};

use callsheet_core::rules::RULES;
use callsheet_tests::case::Case;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/rules")
}

/// Whether a case in the rule's folder expects it.
fn is_found(rule: &str) -> bool {
    let marks = ["error", "warning", "note"].map(|severity| format!("{severity} {rule} "));
    Case::all(&folder().join(rule)).into_iter().any(|(_, case)| {
        let expected = case.map(|case| case.expected).unwrap_or_default();
        marks.iter().any(|mark| expected.contains(mark))
    })
}

#[test]
fn every_rule_has_a_case() {
    let names = RULES.iter().map(|rule| rule.name);
    let missing: Vec<&str> = names.filter(|rule| !is_found(rule)).collect();
    assert_eq!(missing, Vec::<&str>::new(), "without a case");
}

#[test]
fn every_folder_is_named_after_a_rule() {
    let entries = fs::read_dir(folder()).expect("there are cases of rules");
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let stray = names.filter(|name| RULES.iter().all(|rule| rule.name != name));
    assert_eq!(stray.collect::<Vec<_>>(), Vec::<String>::new());
}
