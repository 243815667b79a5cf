//! The keys of a frontmatter, as an engine read them.

use super::value::Value;
use crate::dialect::edition::Next;
use crate::yaml::Node;

/// A value, and its node, if the file has one.
#[derive(Clone, Copy)]
pub(super) struct Keyed<'a> {
    pub(super) value: &'a Value,
    pub(super) node: Option<&'a Node>,
}

/// The keys of a frontmatter.
pub(super) struct Keys<'a> {
    pub(super) value: &'a Value,
    pub(super) root: Option<&'a Node>,
}

impl<'a> Keys<'a> {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.value.get(key)
    }

    /// The first accepted spelling that is present, otherwise the last one that is present.
    pub(super) fn find(&self, spellings: &[impl AsRef<str>], next: Next) -> Option<Keyed<'a>> {
        let mut found = None;
        for key in spellings {
            let Some(value) = self.get(key.as_ref()) else {
                continue;
            };
            let node = self.root.and_then(|root| root.get(key.as_ref()));
            found = Some(Keyed { value, node });
            if !passes(next, value) {
                break;
            }
        }
        found
    }
}

/// Whether the next spelling is read instead.
fn passes(next: Next, value: &Value) -> bool {
    match next {
        Next::Absent => false,
        Next::Null => *value == Value::Null,
        Next::NotText => value.text().is_none(),
    }
}
