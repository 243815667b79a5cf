//! Values in a program's memory.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::decimal::Decimal;

/// A value as a program holds it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i128),
    /// Any other number.
    Float(Decimal),
    /// A moment, as its language shows it.
    Date(String),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A map, in the order of the file, each key once.
    Map(Vec<(Value, Value)>),
    /// A value with a tag that the engine does not know and keeps.
    Tagged(Box<Value>),
}

impl Value {
    /// The value of a key that is text.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let named = |(known, _): &&(Value, Value)| matches!(known, Value::Text(known) if known == key);
        self.entries().iter().find(named).map(|(_, value)| value)
    }

    /// The entries of a map; none of anything else.
    pub(super) fn entries(&self) -> &[(Value, Value)] {
        match self.untagged() {
            Self::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value without its tag.
    pub(super) fn untagged(&self) -> &Value {
        match self {
            Self::Tagged(value) => value,
            value => value,
        }
    }

    /// Its text, if it is text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is truthy in JavaScript.
    pub(super) fn is_truthy(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Boolean(value) => *value,
            Self::Integer(value) => *value != 0,
            Self::Float(value) => !value.is_zero() && *value != Decimal::Nan,
            Self::Text(text) => !text.is_empty(),
            _ => true,
        }
    }
}
