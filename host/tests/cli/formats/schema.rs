//! The part of JSON Schema that our schemas and those of SARIF and CycloneDX use.

use serde_json::{Map, Value};

/// As OASIS published it, errata included.
const SCHEMA: &str = include_str!("sarif-schema-2.1.0.json");

#[track_caller]
pub(super) fn check(document: &Value) {
    let wrong = complaints(SCHEMA, document);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a document, by a schema.
pub(crate) fn complaints(schema: &str, document: &Value) -> Vec<String> {
    let root: Value = serde_json::from_str(schema).expect("the schema is JSON");
    let mut wrong = Vec::new();
    validate(&root, &root, document, "", &mut wrong);
    wrong
}

fn validate(root: &Value, schema: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        let holds = match keyword.as_str() {
            "$ref" => {
                let pointer = rule.as_str().expect("a reference").trim_start_matches('#');
                let referred = root.pointer(pointer).expect("it refers within the schema");
                validate(root, referred, value, at, wrong);
                true
            }
            "type" => has_type(value, rule),
            "enum" => rule.as_array().expect("a list").contains(value),
            "required" => keys(rule).all(|key| value.get(key).is_some()),
            "properties" => {
                properties(root, rule, value, at, wrong);
                true
            }
            "additionalProperties" => additional(root, schema, rule, value, at, wrong),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    validate(root, rule, item, &format!("{at}/{index}"), wrong);
                }
                true
            }
            "minItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 >= number(rule) as u64),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 <= number(rule) as u64),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 >= number(rule) as u64),
            "maxLength" => value
                .as_str()
                .is_none_or(|text| text.chars().count() as u64 <= number(rule) as u64),
            "uniqueItems" => rule == false || are_unique(value),
            "minimum" => value.as_f64().is_none_or(|value| value >= number(rule)),
            "maximum" => value.as_f64().is_none_or(|value| value <= number(rule)),
            "allOf" => alternatives(root, rule, value) == rule.as_array().expect("a list").len(),
            "anyOf" => alternatives(root, rule, value) > 0,
            "oneOf" => alternatives(root, rule, value) == 1,
            // Only for texts that we do not write, such as dates; our references are tested where they are made.
            "pattern" | "format" => true,
            "$schema" | "$id" | "$comment" | "title" | "description" | "default" | "definitions"
            | "examples" => true,
            // Notes of CycloneDX for people.
            "meta:enum" | "deprecated" => true,
            _ => panic!("this validator does not know `{keyword}`"),
        };
        if !holds {
            wrong.push(format!("{at}: {keyword} {rule}: {value}"));
        }
    }
}

fn properties(root: &Value, rule: &Value, value: &Value, at: &str, wrong: &mut Vec<String>) {
    for (key, schema) in rule.as_object().expect("schemas by name") {
        if let Some(member) = value.get(key) {
            validate(root, schema, member, &format!("{at}/{key}"), wrong);
        }
    }
}

fn additional(
    root: &Value,
    schema: &Value,
    rule: &Value,
    value: &Value,
    at: &str,
    wrong: &mut Vec<String>,
) -> bool {
    let none = Map::new();
    let known = schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let members = value.as_object().into_iter().flatten();
    let mut others = members.filter(|(key, _)| !known.contains_key(*key));
    match rule {
        Value::Bool(allowed) => *allowed || others.next().is_none(),
        _ => {
            others.for_each(|(key, member)| validate(root, rule, member, &format!("{at}/{key}"), wrong));
            true
        }
    }
}

fn alternatives(root: &Value, rule: &Value, value: &Value) -> usize {
    let fits = |schema: &&Value| {
        let mut wrong = Vec::new();
        validate(root, schema, value, "", &mut wrong);
        wrong.is_empty()
    };
    rule.as_array().expect("a list").iter().filter(fits).count()
}

fn has_type(value: &Value, rule: &Value) -> bool {
    match rule.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        _ => panic!("this validator does not know the type {rule}"),
    }
}

fn are_unique(value: &Value) -> bool {
    let items = value.as_array().map_or(&[][..], Vec::as_slice);
    (1..items.len()).all(|at| !items[..at].contains(&items[at]))
}

fn keys(rule: &Value) -> impl Iterator<Item = &str> {
    rule.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn number(rule: &Value) -> f64 {
    rule.as_f64().expect("a number")
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
