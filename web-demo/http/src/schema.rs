//! Validates request bodies with the schemas of the description, and fills in defaults. Supports the keywords used there.

use regex_lite::Regex;
use serde_json::{Map, Value};

use crate::limits::ERRORS;
use crate::problem::{Misfit, Problem};

const REQUESTS: &str = include_str!(concat!(env!("OUT_DIR"), "/requests.json"));

/// Fails with `unfit` and the positions at which the body does not match the schema of this name.
pub(crate) fn hold(body: &mut Value, name: &str) -> Result<(), Problem> {
    let schemas: Value = serde_json::from_str(REQUESTS).expect("the build script wrote it");
    let mut held = Held {
        schemas: &schemas,
        errors: Vec::new(),
    };
    held.value(body, &schemas[name], "");
    if held.errors.is_empty() {
        Ok(())
    } else {
        Err(Problem::unfit(held.errors))
    }
}

struct Held<'a> {
    schemas: &'a Value,
    errors: Vec<Misfit>,
}

impl<'a> Held<'a> {
    fn value(&mut self, value: &mut Value, schema: &'a Value, at: &str) {
        let schema = match schema["$ref"].as_str() {
            Some(name) => &self.schemas[name],
            None => schema,
        };
        if let Some(forms) = schema["oneOf"].as_array() {
            return self.one_of(value, forms, at);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return parts.iter().for_each(|part| self.value(value, part, at));
        }
        if let Some(pattern) = schema["not"]["pattern"].as_str() {
            if value.as_str().is_some_and(|text| regex(pattern).is_match(text)) {
                self.wrong(at, format!("Matches `{pattern}`."));
            }
            return;
        }
        let kind = schema["type"]
            .as_str()
            .unwrap_or_else(|| kind(&schema["enum"][0]));
        if !is(value, kind) {
            return self.wrong(at, format!("Expected {kind}."));
        }
        match value {
            Value::Object(map) => self.map(map, schema, at),
            Value::Array(items) => {
                self.most(items.len(), &schema["maxItems"], at, "items");
                let items = items.iter_mut().enumerate();
                items.for_each(|(index, item)| self.value(item, &schema["items"], &format!("{at}/{index}")));
            }
            Value::String(text) => self.text(text, schema, at),
            Value::Number(_) => self.number(value, schema, at),
            _ => {}
        }
    }

    fn one_of(&mut self, value: &mut Value, forms: &'a [Value], at: &str) {
        let fits = forms.iter().any(|form| {
            let mut alone = Held {
                schemas: self.schemas,
                errors: Vec::new(),
            };
            let mut changed = value.clone();
            alone.value(&mut changed, form, at);
            let fits = alone.errors.is_empty();
            if fits {
                *value = changed;
            }
            fits
        });
        if !fits {
            self.wrong(at, "Matches none of the allowed forms.".to_owned());
        }
    }

    fn map(&mut self, map: &mut Map<String, Value>, schema: &'a Value, at: &str) {
        for key in schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            if !map.contains_key(key) {
                self.wrong(at, format!("Missing required key `{key}`."));
            }
        }
        self.most(map.len(), &schema["maxProperties"], at, "keys");
        let known = schema["properties"].as_object();
        for (key, value) in map.iter_mut() {
            let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            if schema["propertyNames"].is_object() {
                self.value(&mut Value::String(key.clone()), &schema["propertyNames"], &at);
            }
            match (
                known.and_then(|known| known.get(key)),
                &schema["additionalProperties"],
            ) {
                (Some(schema), _) => self.value(value, schema, &at),
                (None, Value::Bool(false)) => self.wrong(&at, "Unknown key.".to_owned()),
                (None, schema) if schema.is_object() => self.value(value, schema, &at),
                _ => {}
            }
        }
        for (key, schema) in known.into_iter().flatten() {
            let default = schema["$ref"]
                .as_str()
                .map_or(schema, |name| &self.schemas[name])
                .get("default");
            if let Some(default) = schema.get("default").or(default) {
                map.entry(key).or_insert_with(|| default.clone());
            }
        }
    }

    fn text(&mut self, text: &str, schema: &Value, at: &str) {
        let length = text.chars().count();
        self.most(length, &schema["maxLength"], at, "characters");
        if schema["minLength"]
            .as_u64()
            .is_some_and(|least| (length as u64) < least)
        {
            self.wrong(at, "Too short.".to_owned());
        }
        let pattern = schema["pattern"].as_str();
        // Skip the pattern for strings that are too long.
        if let Some(pattern) = pattern.filter(|_| self.errors.is_empty())
            && !regex(pattern).is_match(text)
        {
            self.wrong(at, format!("Does not match `{pattern}`."));
        }
        let words = schema["enum"].as_array();
        if words.is_some_and(|words| !words.iter().any(|word| word == text)) {
            self.wrong(at, "Not one of the allowed values.".to_owned());
        }
    }

    fn number(&mut self, value: &mut Value, schema: &Value, at: &str) {
        let Some(number) = whole(value) else {
            return self.wrong(at, "Expected a non-negative integer.".to_owned());
        };
        if schema["maximum"].as_u64().is_some_and(|most| number > most) {
            return self.wrong(at, format!("Larger than {}.", schema["maximum"]));
        }
        *value = number.into();
    }

    fn most(&mut self, count: usize, limit: &Value, at: &str, of: &str) {
        if let Some(most) = limit.as_u64().filter(|most| count as u64 > *most) {
            self.wrong(at, format!("More than {most} {of}."));
        }
    }

    fn wrong(&mut self, at: &str, detail: String) {
        if self.errors.len() < ERRORS {
            let pointer = at.to_owned();
            self.errors.push(Misfit { pointer, detail });
        }
    }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of the description are known")
}

/// All numbers in requests are integers; JSON may write them as `1.0`.
fn whole(value: &Value) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let decimal = value
        .as_f64()
        .filter(|it| it.fract() == 0.0 && (0.0..EXACT).contains(it));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was just compared"
    )]
    value.as_u64().or_else(|| decimal.map(|it| it as u64))
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_number(),
        _ => true,
    }
}

fn kind(value: &Value) -> &'static str {
    if value.is_string() { "string" } else { "anything" }
}
