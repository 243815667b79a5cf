//! How often something is to happen.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};

/// A number, or the least and the most. At least once, unless stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    least: u32,
    most: Option<u32>,
}

impl Default for Times {
    fn default() -> Self {
        Self { least: 1, most: None }
    }
}

impl Times {
    pub(super) fn covers(self, count: usize) -> bool {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        count >= self.least && self.most.is_none_or(|most| count <= most)
    }
}

impl fmt::Display for Times {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, None) => write!(to, "at least {least}"),
            (least, Some(most)) if least == most => write!(to, "{most}"),
            (0, Some(most)) => write!(to, "at most {most}"),
            (least, Some(most)) => write!(to, "{least} to {most}"),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    at_least: Option<u32>,
    at_most: Option<u32>,
}

impl<'de> Deserialize<'de> for Times {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = Times;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("a number, or `at_least` and `at_most`")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Times, E> {
                let number = u32::try_from(number).map_err(|_| E::custom("the number is too large"))?;
                Ok(Times {
                    least: number,
                    most: Some(number),
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Times, A::Error> {
                let Range { at_least, at_most } = Range::deserialize(MapAccessDeserializer::new(map))?;
                let least = at_least.unwrap_or(0);
                if at_most.is_some_and(|most| most < least) {
                    return Err(A::Error::custom("`at_most` is less than `at_least`"));
                }
                Ok(Times { least, most: at_most })
            }
        }
        from.deserialize_any(Numbers)
    }
}
