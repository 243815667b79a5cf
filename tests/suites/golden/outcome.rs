//! One golden outcome, and where a reading differs from it.

use callsheet_core::reader::{Held, HeldTools, Reading};
use callsheet_core::verdict::Outcome;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// What a release did with a file.
pub(crate) struct Expected {
    /// The path in the corpus, or the probe.
    pub(crate) file: String,
    value: Value,
}

impl Expected {
    pub(crate) fn of(value: Value) -> Self {
        let file = value["path"].as_str().or(value["case"].as_str());
        Self {
            file: file.expect("every outcome is of a file").to_owned(),
            value,
        }
    }

    /// Whether the release was not run on it.
    pub(crate) fn is_skipped(&self) -> bool {
        self.value["reason"] == "skipped"
    }

    /// A value as it is held, and what it is if it is no text.
    fn held(&self, key: &str) -> (&Value, Option<&str>) {
        (&self.value[key], self.value[format!("{key}_type")].as_str())
    }
}

/// The fields in which a reading differs.
pub(crate) fn differing(expected: &Expected, reading: &Result<Reading, Outcome>) -> Vec<&'static str> {
    let loaded = expected.value["loaded"] == true;
    let agent = match reading {
        Ok(reading) if loaded => &reading.agent,
        Err(_) if !loaded => return Vec::new(),
        _ => return vec!["loaded"],
    };
    let listed = |key: &str| expected.value.get(key).is_some();
    let tools = if listed("allowed_tools") {
        "allowed_tools"
    } else {
        "tools"
    };
    let prompt = hex(&Sha256::digest(&agent.prompt));
    let same = [
        ("name", is_held(expected.held("name"), Some(&agent.name))),
        (
            "description",
            is_held(expected.held("description"), Some(&agent.description)),
        ),
        ("tools", are_tools(&expected.value[tools], &agent.tools)),
        (
            "denied",
            !listed("disallowed_tools") && agent.denied == HeldTools::Nothing
                || are_tools(&expected.value["disallowed_tools"], &agent.denied),
        ),
        ("model", is_held(expected.held("model"), agent.model.as_ref())),
        ("color", is_held(expected.held("color"), agent.color.as_ref())),
        ("prompt", expected.value["prompt_sha256"] == prompt),
    ];
    same.into_iter()
        .filter(|(_, same)| !same)
        .map(|(field, _)| field)
        .collect()
}

fn is_held((value, kind): (&Value, Option<&str>), held: Option<&Held>) -> bool {
    match held {
        None => value.is_null(),
        Some(Held::Text(text)) => kind.is_none() && value == text,
        Some(Held::Other { json, kind: held }) => {
            let parsed: Value = serde_json::from_str(json).expect("what is held is shown as JSON");
            *value == parsed && (kind == Some(held) || value.is_null())
        }
    }
}

fn are_tools(value: &Value, tools: &HeldTools) -> bool {
    match tools {
        HeldTools::Nothing => value.is_null(),
        HeldTools::All => value == "*",
        HeldTools::Only(names) => *value == serde_json::json!(names),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
