//! Our schema, and those of SARIF, CycloneDX and A2A.

use jsonschema::{Retrieve, Uri};
use serde_json::Value;

/// As OASIS published it, errata included.
const SCHEMA: &str = include_str!("sarif-schema-2.1.0.json");

#[track_caller]
pub(super) fn check(document: &Value) {
    // Only JavaScript takes the bracket in a pattern for languages.
    let schema = SCHEMA.replace("{2}]?$", r"{2}\\]?$");
    let wrong = complaints(&schema, document);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a document, by a schema.
pub(crate) fn complaints(schema: &str, document: &Value) -> Vec<String> {
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let options = jsonschema::options().should_validate_formats(true);
    let validator = options.with_retriever(Elsewhere).build(&schema);
    let validator = validator.expect("the schema is valid");
    let wrong = validator.iter_errors(document);
    wrong
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// CycloneDX refers to schemas of licenses and signatures, which we do not write: anything fits them.
struct Elsewhere;

impl Retrieve for Elsewhere {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Ok(serde_json::json!({"definitions": {"signature": true}}))
    }
}

#[test]
fn the_validator_finds_errors() {
    let log = |results: Value| {
        let driver = serde_json::json!({"driver": {"name": "x"}});
        serde_json::json!({"version": "2.1.0", "runs": [{"tool": driver, "results": results}]})
    };
    check(&log(serde_json::json!([{"message": {"text": "x"}}])));
    for wrong in [
        serde_json::json!([{}]),
        serde_json::json!([{"message": {"text": 1}}]),
        serde_json::json!([{"message": {"text": "x"}, "levle": "error"}]),
        serde_json::json!([{"message": {"text": "x"}, "level": "bad"}]),
        serde_json::json!([{"message": {"text": "x"}, "ruleIndex": -2}]),
    ] {
        let caught = std::panic::catch_unwind(|| check(&log(wrong.clone())));
        assert!(caught.is_err(), "{wrong}");
    }
}
