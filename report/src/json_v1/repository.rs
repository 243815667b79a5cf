//! One of many repositories.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

#[derive(Serialize)]
pub(super) struct Repository<'a> {
    path: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    content: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

impl<'a> From<(&'a str, Result<&'a RawValue, &'a str>)> for Repository<'a> {
    fn from((path, result): (&'a str, Result<&'a RawValue, &'a str>)) -> Self {
        Self {
            path,
            // A raw value would keep its own indentation.
            content: result.ok().and_then(|kept| serde_json::from_str(kept.get()).ok()),
            error: result.err(),
        }
    }
}
