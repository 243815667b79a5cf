//! Writing: drafts become new files and changes become edits, in a form that all readers of the dialect read alike.

mod body;
mod edit;
mod emit;
mod entered;
mod page;
mod pieces;
mod render;
mod replace;
mod scalar;
mod settle;
mod target;
#[cfg(test)]
mod tests;
mod toml;
mod toml_edit;
mod unchanged;
mod verbatim;

pub use edit::{edit, stated};
pub(crate) use entered::tools as entered_tools;
pub(crate) use pieces::{Piece, line, pieces};
pub use render::render;
pub(crate) use unchanged::says_the_same;
pub(crate) use verbatim::verbatim;

use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::ToolFilter;
use crate::yaml::Node;

/// The content of a new file, in any dialect.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Values by canonical field, each at most once. They are written in the order of the dialect's table.
    pub fields: Vec<(String, Value)>,
    /// The prompt. Whitespace around it is dropped if the dialect trims, and kept otherwise.
    pub prompt: String,
}

impl Draft {
    /// The value of a canonical field.
    pub fn get(&self, field: &str) -> Option<&Value> {
        let known = |(name, _): &&(String, Value)| name == field;
        self.fields.iter().find(known).map(|(_, value)| value)
    }
}

/// A change of one key of an existing file.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The key as spelled in the file or in the dialect's table, or the canonical field.
    pub key: String,
    /// The new value; none removes the key.
    pub value: Option<Value>,
}

/// A value to write. The dialect decides which ones a field accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text, even if it looks like another type.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Boolean(bool),
    /// Tools. `Absent` writes nothing.
    Tools(ToolFilter),
    /// A list of words.
    Words(Vec<String>),
    /// Anything else, such as a map of hooks.
    Yaml(Node),
    /// As a person enters it: its type depends on the field. Lists are comma-separated.
    Entered(String),
}

/// Why something cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The canonical field, `prompt`, or a key unknown to the dialect.
    pub field: String,
    /// The reason, as one sentence without a full stop.
    pub reason: String,
}

/// Why a file cannot be edited.
#[derive(Clone, Debug, PartialEq)]
pub enum EditError {
    /// Its keys cannot be read reliably; the reason, as one sentence without a full stop.
    Unreadable(String),
    /// Some of the changes cannot be made.
    Refused(Vec<Refusal>),
}
