//! One golden outcome, and where a reading differs from it.

use callsheet_core::reader::{Held, HeldTools, Reading};
use callsheet_core::verdict::Outcome;
use serde_json::{Map, Value};
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

    /// Whether the release loads it.
    pub(crate) fn loads(&self) -> bool {
        self.value["loaded"] == true
    }

    /// Whether the release holds a description of it.
    pub(crate) fn has_description(&self) -> bool {
        self.value["description"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    }

    /// Whether the release was not run on it.
    pub(crate) fn is_skipped(&self) -> bool {
        self.value["reason"] == "skipped"
    }

    /// Whether the release does not show what it holds of a key.
    fn lacks(&self, key: &str) -> bool {
        let is = |mark: &str| self.value.get(mark).is_some();
        match key {
            // Only those that hold a color name it, and some of them only where there is one.
            "color" => !is("prompt_sha256") || is("permission") || is("kind") || is("id"),
            "tools" if !is("prompt_sha256") => true,
            key => key != "tools" && !is(key),
        }
    }

    /// A value as it is held, and what it is if it is not text.
    fn held(&self, key: &str) -> (&Value, Option<&str>) {
        (&self.value[key], self.value[format!("{key}_type")].as_str())
    }

    /// The name. OpenCode's are of any type, and only their values are known.
    fn is_named(&self, name: &Held) -> bool {
        match name {
            Held::Other { json, .. } if self.value.get("permission").is_some() => {
                serde_json::from_str(json).is_ok_and(|name: Value| name == self.value["name"])
            }
            name => is_held(self.held("name"), Some(name)),
        }
    }

    /// The description. None at all is held as an empty text.
    fn is_described(&self, description: &Held) -> bool {
        let is_empty = *description == Held::Text(String::new());
        is_empty && self.value["description"].is_null()
            || is_held(self.held("description"), Some(description))
    }
}

/// The fields in which a reading differs.
pub(crate) fn differing(expected: &Expected, reading: &Result<Reading, Outcome>) -> Vec<&'static str> {
    let loaded = expected.loads();
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
    let (tools, denied) = match &expected.value[tools] {
        Value::Object(switches) => (switched_on(switches), switched(switches, false)),
        tools => (tools.clone(), expected.value["disallowed_tools"].clone()),
    };
    let prompt = hex(&Sha256::digest(&agent.prompt));
    let shows = |key: &str| !expected.lacks(key);
    let same = [
        ("name", expected.is_named(&agent.name)),
        ("description", expected.is_described(&agent.description)),
        ("tools", !shows("tools") || are_tools(&tools, &agent.tools)),
        ("denied", !shows("tools") || are_tools(&denied, &agent.denied)),
        ("model", is_held(expected.held("model"), agent.model.as_ref())),
        (
            "color",
            !shows("color") || is_held(expected.held("color"), agent.color.as_ref()),
        ),
        (
            "prompt",
            !shows("prompt_sha256") || expected.value["prompt_sha256"] == prompt,
        ),
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

/// The tools of a map that has a switch for each: those that are on, if all others are off.
fn switched_on(switches: &Map<String, Value>) -> Value {
    match switches.get("*") {
        Some(Value::Bool(false)) => switched(switches, true),
        _ => Value::Null,
    }
}

fn switched(switches: &Map<String, Value>, on: bool) -> Value {
    let named = switches
        .iter()
        .filter(|(name, switch)| *name != "*" && **switch == on);
    let names: Vec<&str> = named.map(|(name, _)| &**name).collect();
    if names.is_empty() && !on {
        Value::Null
    } else {
        serde_json::json!(names)
    }
}

fn are_tools(value: &Value, tools: &HeldTools) -> bool {
    match tools {
        HeldTools::Nothing => value.is_null(),
        HeldTools::All => value == "*" || *value == serde_json::json!(["*"]),
        HeldTools::Only(names) => *value == serde_json::json!(names),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
