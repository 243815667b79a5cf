//! The table of keys.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::fields::Canonical;
use super::places::Level;
use super::tools::ToolShape;
use super::verdict::{Verdict, fine, ignored};

/// A key that a dialect knows.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Key {
    /// The canonical name.
    pub field: Canonical,
    /// The spellings, the preferred one first; the first that is there counts.
    pub spellings: Vec<String>,
    /// What values it takes.
    pub shape: Shape,
    /// What its absence means.
    #[serde(default = "fine")]
    pub missing: Verdict,
    /// What a value that it does not take means.
    #[serde(default = "ignored")]
    pub wrong: Verdict,
    /// Whether a value that it does not take counts as an empty list rather than as absent.
    #[serde(default)]
    pub wrong_is_empty: bool,
    /// Whether items of a list that are no text are left out.
    #[serde(default)]
    pub text_items: bool,
    /// What holds where it is absent, in words, for people.
    #[serde(default)]
    pub default: String,
    /// The fewest characters.
    #[serde(default)]
    pub shortest: Option<u32>,
    /// What a converted file says where the one that it was made of does not.
    #[serde(default)]
    pub fill: Option<String>,
    /// The most characters.
    #[serde(default)]
    pub longest: Option<u32>,
    /// Values that are not taken.
    #[serde(default)]
    pub none_of: Vec<String>,
    /// Whether line ends are not taken.
    #[serde(default)]
    pub single_line: bool,
    /// Whether releases turn a backslash and an `n` into a line end: text that holds both cannot be written.
    #[serde(default)]
    pub unescapes: bool,
    /// The spelling that is written, where releases do not read the preferred one.
    #[serde(default)]
    pub write_as: Option<String>,
    /// The form that names are to have.
    #[serde(default)]
    pub form: Option<Form>,
    /// The form that text is written in, where the product refuses some of what is read.
    #[serde(default)]
    pub write_form: Option<Form>,
    /// A list that each entry of a map has to have; `*` in it means everything.
    #[serde(default)]
    pub entry_list: Option<String>,
    /// What another form means. Where that is nothing, the form is advice.
    #[serde(default = "fine")]
    pub other_form: Verdict,
    /// The only values that are taken.
    #[serde(default)]
    pub one_of: Vec<String>,
    /// What another canonical field has to be for this one to count. Otherwise any value is taken, and none is heeded.
    #[serde(default)]
    pub if_field: Option<Condition>,
    /// The smallest number that is taken.
    #[serde(default)]
    pub at_least: Option<i64>,
    /// What numbers, enumerations and lengths out of bounds mean.
    #[serde(default = "ignored")]
    pub out_of_bounds: Verdict,
    /// The places where a file may do without it, whatever `missing` says.
    #[serde(default)]
    pub optional_at: Vec<Level>,
    /// The places where the key has no effect.
    #[serde(default)]
    pub ignored_at: Vec<Level>,
    /// The events that there are, of a map from events.
    #[serde(default)]
    pub events: Vec<String>,
    /// What the product says where the key is missing; `{name}` is filled in.
    #[serde(default)]
    pub missing_text: String,
    /// What the product says to a value out of bounds; `{name}` and `{value}` are filled in.
    #[serde(default)]
    pub bounds_text: String,
}

/// Another field and what it has to be.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Condition {
    /// The canonical field.
    pub field: Canonical,
    /// Its value.
    pub is: String,
}

/// The form of a name.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Lower-case letters, digits and single hyphens.
    Kebab,
    /// Lower-case letters, digits, hyphens and underscores.
    Slug,
    /// Letters and digits of any script, and hyphens and underscores between them.
    Word,
    /// `#RRGGBB`, or a color of the theme.
    ThemeColor,
}

/// What values a key takes.
#[derive(Clone, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Text; plain numbers and booleans are not taken.
    Text,
    /// Any scalar, as it is written; null counts as absent.
    Scalar,
    /// A whole number.
    Integer,
    /// A number, whole or not.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A map from tools to `true` or `false`.
    Switches,
    /// An action, a map from tools to actions or to maps from patterns to actions, or a list of rules that say the same.
    Permissions,
    /// Tools, by these rules.
    Tools(ToolShape),
    /// Words: a list, or text with commas.
    Words,
    /// An endpoint: a map of two keys.
    Endpoint,
    /// A map, or a list of names and maps: only the names count.
    Names,
    /// Anything: kept verbatim.
    Any,
}
