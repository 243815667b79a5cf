//! The arguments of a call, by any of their common names.

use serde_json::{Map, Value};

/// Names of a path. The component has the same list: a path under another name would not be checked.
pub const PATH: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "absolute_path",
    "file",
    "filename",
    "directory",
    "dir_path",
];

/// The arguments of a model.
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match serde_json::from_str(text) {
            Ok(Value::Object(arguments)) => Ok(Self(arguments)),
            Ok(_) => Err("the arguments are not a JSON object".into()),
            Err(error) => Err(format!("the arguments are not valid JSON: {error}")),
        }
    }

    /// The text under the first of these names that is present.
    pub(super) fn text(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.0.get(*name)?.as_str())
    }

    /// The same for a required one.
    pub(super) fn demand(&self, names: &[&str]) -> Result<&str, String> {
        self.text(names).ok_or_else(|| {
            let given = names.iter().find(|name| self.0.contains_key(**name));
            match given {
                Some(name) => format!("the argument `{name}` must be text"),
                None => format!("the argument `{}` is missing", names[0]),
            }
        })
    }

    /// A whole number. Some models write it as text.
    pub(super) fn number(&self, names: &[&str]) -> Option<i64> {
        names.iter().find_map(|name| whole(self.0.get(*name)?))
    }

    /// A limit that the model may set, up to `most`.
    pub(super) fn count(&self, names: &[&str], default: usize, most: usize) -> usize {
        let stated = self.number(names).and_then(|number| usize::try_from(number).ok());
        stated.unwrap_or(default).min(most)
    }

    /// A number that is not negative, if it is given. A model that gives another one would mistake what it gets.
    pub(super) fn place(&self, names: &[&str]) -> Result<Option<usize>, String> {
        let given = names.iter().find_map(|name| match self.0.get(*name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.trim().is_empty() => None,
            Some(value) => Some((name, value)),
        });
        let Some((name, value)) = given else {
            return Ok(None);
        };
        let number = whole(value).and_then(|number| usize::try_from(number).ok());
        let wrong = || format!("`{name}` must be a whole number that is not negative");
        number.map(Some).ok_or_else(wrong)
    }

    pub(super) fn flag(&self, names: &[&str]) -> bool {
        names.iter().any(|name| match self.0.get(*name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
            _ => false,
        })
    }

    /// Whether a flag that is set by default is given as not set.
    pub(super) fn denies(&self, names: &[&str]) -> bool {
        self.has(names) && !self.flag(names)
    }

    /// An ID, which some models write as a number.
    pub(super) fn id(&self, names: &[&str]) -> Result<String, String> {
        match self.number(names) {
            Some(number) => Ok(number.to_string()),
            None => self.demand(names).map(str::to_owned),
        }
    }

    /// The items of a list.
    pub(super) fn list(&self, name: &str) -> Option<&[Value]> {
        self.0.get(name)?.as_array().map(Vec::as_slice)
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        names
            .iter()
            .any(|name| self.0.get(*name).is_some_and(|value| !value.is_null()))
    }

    /// The path, if one is given.
    pub(super) fn optional_path(&self) -> Option<&str> {
        self.text(PATH).filter(|path| !path.is_empty())
    }

    pub(super) fn path(&self) -> Result<&str, String> {
        self.demand(PATH)
    }
}

impl TryFrom<&Value> for Arguments {
    type Error = String;

    fn try_from(value: &Value) -> Result<Self, String> {
        let object = value.as_object().cloned();
        object.map(Self).ok_or_else(|| "an item is not an object".into())
    }
}

pub(super) fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let number = number.as_f64().filter(|number| number.fract() == 0.0)?;
            (number.abs() < 1e15).then_some(number as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}
