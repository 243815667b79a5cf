//! Writing: drafts become new files and changes become edits, in a form that every reader of the dialect takes alike.

mod body;
mod edit;
mod emit;
mod entered;
mod page;
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

pub use edit::edit;
pub use render::render;

use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::ToolFilter;
use crate::yaml::Node;

/// What a new file is to say, whatever dialect it is written in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Values by canonical field, each at most once. They are written in the order of the dialect's table.
    pub fields: Vec<(String, Value)>,
    /// The prompt. Blanks around it are dropped where the dialect trims, and kept where it does not.
    pub prompt: String,
}

impl Draft {
    /// The value of a canonical field.
    pub fn get(&self, field: &str) -> Option<&Value> {
        let known = |(name, _): &&(String, Value)| name == field;
        self.fields.iter().find(known).map(|(_, value)| value)
    }
}

/// A key of an existing file that is to say something else.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The key as spelled in the file or in the dialect's table, or the canonical field.
    pub key: String,
    /// What it is to say; none takes it out.
    pub value: Option<Value>,
}

/// A value to be written. Which ones a field takes is the dialect's affair.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text, whatever it looks like.
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
    /// As a person enters it: what it means depends on the field. Lists have commas between their items.
    Entered(String),
}

/// Why something cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The canonical field, `prompt`, or a key that the dialect does not know.
    pub field: String,
    /// Why, as one sentence without a full stop.
    pub reason: String,
}

/// Why a file cannot be edited.
#[derive(Clone, Debug, PartialEq)]
pub enum EditError {
    /// Its keys cannot be made out reliably; why, as one sentence without a full stop.
    Unreadable(String),
    /// Some of the changes cannot be made.
    Refused(Vec<Refusal>),
}
