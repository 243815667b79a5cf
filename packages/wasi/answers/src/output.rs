//! The output modules of the native host.

#[path = "../../../../host/src/output/concise.rs"]
pub mod concise;
#[path = "../../../../host/src/output/doctor.rs"]
pub mod doctor;
#[path = "../../../../host/src/output/json.rs"]
mod json;
#[path = "../../../../host/src/output/json_v1/mod.rs"]
pub mod json_v1;
#[path = "../../../../host/src/output/pages.rs"]
pub mod pages;
#[path = "../../../../host/src/output/report.rs"]
pub mod report;
#[path = "../../../../host/src/output/secrets.rs"]
pub mod secrets;
#[path = "../../../../host/src/output/words.rs"]
mod words;

#[allow(dead_code, reason = "tables are not used here")]
#[path = "../../../../host/src/output/text/cell.rs"]
pub mod text;

/// The page of a rule in Markdown; empty if this release has none.
pub fn page(rule: &str) -> &'static str {
    pages::Page::of(rule).text
}

/// A document on one line, with control characters escaped.
pub fn compact(document: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(document).expect("a document is JSON");
    json::line(&value)
}
