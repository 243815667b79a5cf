//! Every rule has a folder of cases, `cases/rules/<rule>/`, in one of which it is found.

use std::fs;
use std::path::{Path, PathBuf};

use callsheet_core::rules::RULES;
use callsheet_tests::case::Case;

/// Rules whose cases lie elsewhere still.
const ELSEWHERE: &[&str] = &[
    "byte-order-mark",
    "closing-fence",
    "duplicate-key",
    "empty-prompt",
    "foreign-frontmatter",
    "frontmatter-too-long",
    "invalid-utf8",
    "invalid-yaml",
    "misplaced-fence",
    "missing-field",
    "name-form",
    "no-frontmatter",
    "not-a-map",
    "several-lines",
    "too-large",
    "too-long",
    "too-small",
    "unclosed-frontmatter",
    "unknown-key",
    "unknown-value",
    "unquoted-value",
    "wrong-type",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/rules")
}

/// Whether a case in the rule's folder expects it.
fn is_found(rule: &str) -> bool {
    let mark = format!("\"rule\": \"{rule}\"");
    Case::all(&folder().join(rule)).into_iter().any(|(_, case)| {
        let expected = case.map(|case| fs::read_to_string(case.expected()));
        matches!(expected, Ok(Ok(text)) if text.contains(&mark))
    })
}

#[test]
fn every_rule_has_a_case_where_it_is_found() {
    let found = |rule: &&str| is_found(rule);
    let (found, missing): (Vec<&str>, Vec<&str>) = RULES.iter().map(|rule| rule.name).partition(found);
    let unknown = missing.iter().filter(|rule| !ELSEWHERE.contains(rule));
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&&str>::new(), "without a case");
    let needless = found.iter().filter(|rule| ELSEWHERE.contains(rule));
    assert_eq!(
        needless.collect::<Vec<_>>(),
        Vec::<&&str>::new(),
        "no longer elsewhere"
    );
}

#[test]
fn every_folder_is_of_a_rule() {
    let entries = fs::read_dir(folder()).expect("there are cases of rules");
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let stray = names.filter(|name| RULES.iter().all(|rule| rule.name != name));
    assert_eq!(stray.collect::<Vec<_>>(), Vec::<String>::new());
}
