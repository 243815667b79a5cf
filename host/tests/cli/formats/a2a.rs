//! The messages of A2A as a JSON schema.

use serde_json::{Map, Value, json};

use super::schema;

/// `specification/a2a.proto` of github.com/a2aproject/A2A, commit 16ba5269, Apache-2.0: the normative definition of A2A 1.0.
const PROTOCOL: &str = include_str!("a2a.proto");

/// What is wrong with an agent card.
pub(crate) fn complaints(card: &Value) -> Vec<String> {
    schema::complaints(&schema_of("AgentCard").to_string(), card)
}

fn schema_of(message: &str) -> Value {
    let names = PROTOCOL
        .lines()
        .filter_map(|line| line.strip_prefix("message ")?.strip_suffix(" {"));
    let definitions: Map<String, Value> = names.map(|name| (name.to_owned(), object(name))).collect();
    json!({ "$ref": format!("#/definitions/{message}"), "definitions": definitions })
}

/// The fields of a message, as JSON names them.
fn object(message: &str) -> Value {
    let start = PROTOCOL
        .find(&format!("\nmessage {message} {{"))
        .expect("it is there");
    let text = PROTOCOL[start + 1..].split("\n}").next().unwrap_or_default();
    let code: Vec<&str> = text
        .lines()
        .skip(1)
        .map(|line| line.split("//").next().unwrap_or_default().trim())
        .collect();
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in code.join(" ").split([';', '{', '}']) {
        let Some((declared, rest)) = field.split_once('=') else {
            continue;
        };
        let words: Vec<&str> = declared.split_whitespace().collect();
        let [kind @ .., name] = &words[..] else {
            continue;
        };
        let is_required = rest.contains("REQUIRED");
        let name = camel(name);
        properties.insert(name.clone(), typed(kind, is_required));
        if is_required {
            required.push(name);
        }
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn typed(kind: &[&str], is_required: bool) -> Value {
    let least = u8::from(is_required);
    match kind {
        ["repeated", rest @ ..] => json!({ "type": "array", "items": typed(rest, false), "minItems": least }),
        ["optional", rest @ ..] => typed(rest, is_required),
        ["map<string,", value] => {
            json!({ "type": "object", "additionalProperties": typed(&[value.trim_end_matches('>')], false) })
        }
        ["string"] => json!({ "type": "string", "minLength": least }),
        ["bool"] => json!({ "type": "boolean" }),
        ["int32"] => json!({ "type": "integer" }),
        [other] if PROTOCOL.contains(&format!("\nmessage {other} {{")) => {
            json!({ "$ref": format!("#/definitions/{other}") })
        }
        _ => json!({}),
    }
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(1);
        name + &initial.to_uppercase() + rest
    })
}

#[test]
fn the_protocol_tells_right_cards_from_wrong_ones() {
    let card = json!({
        "name": "a", "description": "b", "version": "1", "capabilities": {"streaming": true},
        "supportedInterfaces": [{"url": "https://a.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}],
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "a", "name": "a", "description": "b", "tags": ["a"]}],
    });
    assert_eq!(complaints(&card), [""; 0]);
    let wrong: [(&str, Value); 7] = [
        ("/name", json!("")),
        ("/skills", json!([])),
        ("/skills/0/tags", json!([])),
        ("/skills/0", json!({"id": "a"})),
        ("/capabilities", json!({"streams": true})),
        ("/capabilities/streaming", json!("yes")),
        ("/supportedInterfaces/0/url", json!(1)),
    ];
    for (at, value) in wrong {
        let mut card = card.clone();
        *card.pointer_mut(at).expect("it is there") = value;
        assert_ne!(complaints(&card), [""; 0], "{at}");
    }
}
