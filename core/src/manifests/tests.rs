//! Manifests that are larger than any real one.

use alloc::format;
use alloc::string::String;

use super::{Judgement, Unknown, check, formats};
use crate::diagnostic::Severity;
use crate::dialect::Json;
use crate::json;
use crate::limits::{MANIFEST_PROBLEMS, QUOTED};
use crate::source::Source;

fn judged(text: &str) -> Judgement {
    let format = formats().iter().find(|format| format.file == "plugin.json");
    let root = json::file(&Source::new(text.as_bytes()), Json::Strict).expect("it is JSON");
    check(&format.expect("it is a format").shape, &root, &mut Unknown)
}

fn unknown(count: usize) -> String {
    (0..count).map(|number| format!("\"x{number}\": 1, ")).collect()
}

#[test]
fn an_error_is_found_behind_many_warnings() {
    let judged = judged(&format!("{{{}\"name\": \"-\"}}", unknown(10_000)));
    assert!(!judged.is_valid());
    let errors = judged
        .findings
        .iter()
        .filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 2);
    assert_eq!(judged.findings.len(), MANIFEST_PROBLEMS + 2);
    assert_eq!(judged.others, 10_000 - MANIFEST_PROBLEMS);
}

#[test]
fn a_message_quotes_the_beginning_of_a_long_name() {
    let judged = judged(&format!("{{\"{}\": 1}}", "ü".repeat(100_000)));
    let longest = judged
        .findings
        .iter()
        .map(|found| found.message.chars().count())
        .max();
    assert!(longest < Some(QUOTED + 100), "{longest:?}");
}

#[test]
fn fields_are_as_deep_as_the_file() {
    let deep = format!("{}{}", "[".repeat(60), "]".repeat(60));
    let judged = judged(&format!(
        "{{\"extensions\": {{\"com.example\": {{\"a\": {deep}}}}}}}"
    ));
    assert_eq!(judged.findings.len(), 2, "only what is missing");
}
