//! Values of the contract as drivers write them: JSON, with JavaScript's names.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

/// Why an answer does not fit.
pub type Misfit = String;

/// A type of the contract.
pub trait Crossing: Sized {
    /// From a driver.
    fn from_value(value: Value) -> Result<Self, Misfit>;
    /// To a driver.
    fn to_value(&self) -> Value;

    /// A list from a driver.
    fn from_list(value: Value) -> Result<Vec<Self>, Misfit> {
        match value {
            Value::Array(items) => items.into_iter().map(Self::from_value).collect(),
            other => Err(misfit("a list", &other)),
        }
    }

    /// A list to a driver.
    fn to_list(items: &[Self]) -> Value {
        items.iter().map(Self::to_value).collect()
    }
}

fn misfit(wanted: &str, found: &Value) -> Misfit {
    format!("{wanted} was expected, not {found}")
}

/// An omitted field is null.
fn field<T: Crossing>(fields: &mut Map<String, Value>, name: &str) -> Result<T, Misfit> {
    let value = fields.remove(name).unwrap_or_default();
    T::from_value(value).map_err(|misfit| format!("{name}: {misfit}"))
}

fn fields(value: Value) -> Result<Map<String, Value>, Misfit> {
    match value {
        Value::Object(fields) => Ok(fields),
        other => Err(misfit("a record", &other)),
    }
}

fn nothing_more(fields: Map<String, Value>) -> Result<(), Misfit> {
    if fields.is_empty() {
        Ok(())
    } else {
        Err(format!("unknown: {:?}", fields.keys().collect::<Vec<_>>()))
    }
}

macro_rules! record {
    ($type:path { $($field:ident $name:literal),* }) => {
        impl Crossing for $type {
            fn from_value(value: Value) -> Result<Self, Misfit> {
                let mut fields = fields(value)?;
                let record = Self { $($field: field(&mut fields, $name)?),* };
                nothing_more(fields)?;
                Ok(record)
            }

            fn to_value(&self) -> Value {
                json!({ $($name: self.$field.to_value()),* })
            }
        }
    };
}

macro_rules! enumeration {
    ($type:path { $($case:ident $name:literal),* }) => {
        impl Crossing for $type {
            fn from_value(value: Value) -> Result<Self, Misfit> {
                match value.as_str() {
                    $(Some($name) => Ok(Self::$case),)*
                    _ => Err(misfit(stringify!($type), &value)),
                }
            }

            fn to_value(&self) -> Value {
                let name = match self { $(Self::$case => $name),* };
                json!(name)
            }
        }
    };
}

macro_rules! variant {
    ($type:path { $($case:ident $(($val:ident))? $name:literal),* }) => {
        impl Crossing for $type {
            fn from_value(value: Value) -> Result<Self, Misfit> {
                let mut fields = fields(value)?;
                let tag = fields.remove("tag").unwrap_or_default();
                match tag.as_str() {
                    $(Some($name) => Ok(Self::$case $((field(&mut fields, stringify!($val))?))?),)*
                    _ => Err(misfit(stringify!($type), &tag)),
                }
            }

            fn to_value(&self) -> Value {
                match self {
                    $(Self::$case $(($val))? => json!({ "tag": $name $(, "val": $val.to_value())? }),)*
                }
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/contract.rs"));

impl Crossing for String {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(misfit("text", &other)),
        }
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

impl Crossing for bool {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        value.as_bool().ok_or_else(|| misfit("true or false", &value))
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

/// Long numbers are texts: JSON readers round them.
macro_rules! number {
    ($($type:ident)*) => {
        $(impl Crossing for $type {
            fn from_value(value: Value) -> Result<Self, Misfit> {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                text.parse().map_err(|_| misfit(stringify!($type), &value))
            }

            fn to_value(&self) -> Value {
                json!(self.to_string())
            }
        })*
    };
}

number!(u64 i64);

impl Crossing for u32 {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        let number = value.as_u64().and_then(|number| number.try_into().ok());
        number.ok_or_else(|| misfit("a number", &value))
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

impl Crossing for u8 {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        let number = value.as_u64().and_then(|number| number.try_into().ok());
        number.ok_or_else(|| misfit("a byte", &value))
    }

    fn to_value(&self) -> Value {
        json!(self)
    }

    fn from_list(mut value: Value) -> Result<Vec<Self>, Misfit> {
        let bytes = value.get_mut("bytes").map(Value::take).unwrap_or_default();
        let decoded = bytes.as_str().and_then(|text| BASE64.decode(text).ok());
        decoded.ok_or_else(|| misfit("bytes", &value))
    }

    fn to_list(items: &[Self]) -> Value {
        json!({ "bytes": BASE64.encode(items) })
    }
}

impl<T: Crossing> Crossing for Vec<T> {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        T::from_list(value)
    }

    fn to_value(&self) -> Value {
        T::to_list(self)
    }
}

impl<T: Crossing> Crossing for Option<T> {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value {
            Value::Null => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }

    fn to_value(&self) -> Value {
        self.as_ref().map(T::to_value).unwrap_or_default()
    }
}

impl<A: Crossing, B: Crossing> Crossing for (A, B) {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value {
            Value::Array(pair) if pair.len() == 2 => {
                let mut pair = pair.into_iter();
                let mut next = || pair.next().unwrap_or_default();
                Ok((A::from_value(next())?, B::from_value(next())?))
            }
            other => Err(misfit("a pair", &other)),
        }
    }

    fn to_value(&self) -> Value {
        json!([self.0.to_value(), self.1.to_value()])
    }
}

/// Nothing.
impl Crossing for () {
    fn from_value(value: Value) -> Result<Self, Misfit> {
        match value {
            Value::Null => Ok(()),
            other => Err(misfit("nothing", &other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Null
    }
}
