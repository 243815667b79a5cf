//! The table of keys.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::fields::Canonical;
use crate::places::Level;
use crate::tools::ToolShape;
use crate::verdict::{Verdict, fine, ignored};

/// A key that a dialect knows.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Key {
    /// The canonical name.
    pub field: Canonical,
    /// The spellings, the preferred one first; the first one present counts.
    pub spellings: Vec<String>,
    /// What values it takes.
    pub shape: Shape,
    /// What its absence means.
    #[serde(default = "fine")]
    pub missing: Verdict,
    /// What an invalid value means.
    #[serde(default = "ignored")]
    pub wrong: Verdict,
    /// Whether an invalid value counts as an empty list rather than as absent.
    #[serde(default)]
    pub wrong_is_empty: bool,
    /// Whether list items that are not text are skipped.
    #[serde(default)]
    pub text_items: bool,
    /// Whether a boolean in quotes is of a wrong type.
    #[serde(default)]
    pub unquoted: bool,
    /// Whether words must be in a list; also names, with a map for each that is configured there.
    #[serde(default)]
    pub list_only: bool,
    /// Whether null is of a wrong type.
    #[serde(default)]
    pub no_null: bool,
    /// The default, in words, for people.
    #[serde(default)]
    pub default: String,
    /// The fewest characters.
    #[serde(default)]
    pub shortest: Option<u32>,
    /// The value of a converted file if its source does not set one.
    #[serde(default)]
    pub fill: Option<String>,
    /// What replaced it, in words, if the vendor retired it.
    #[serde(default)]
    pub replaced_by: Option<String>,
    /// The most characters.
    #[serde(default)]
    pub longest: Option<u32>,
    /// Refused values.
    #[serde(default)]
    pub none_of: Vec<String>,
    /// Whether a list is accepted, whose first item counts.
    #[serde(default)]
    pub first_of_list: bool,
    /// Whether line ends are refused.
    #[serde(default)]
    pub single_line: bool,
    /// Whether releases turn a backslash and an `n` into a line end: text that has both cannot be written.
    #[serde(default)]
    pub unescapes: bool,
    /// The spelling to write, if releases do not read the preferred one.
    #[serde(default)]
    pub write_as: Option<String>,
    /// The form required of names.
    #[serde(default)]
    pub form: Option<Form>,
    /// The form that text is written in, if the product refuses some of what it reads.
    #[serde(default)]
    pub write_form: Option<Form>,
    /// What conversions add to each entry of a map, because the product requires it there.
    #[serde(default)]
    pub entry_fills: Vec<EntryFill>,
    /// What another form means. If that is nothing, the form is a recommendation.
    #[serde(default = "fine")]
    pub other_form: Verdict,
    /// The only accepted values.
    #[serde(default)]
    pub one_of: Vec<String>,
    /// Whether these are accepted in any case.
    #[serde(default)]
    pub any_case: bool,
    /// Whether whitespace around text does not count.
    #[serde(default)]
    pub trimmed: bool,
    /// Whether it is read like by JavaScript's `parseInt`: text counts if it begins with a whole number, also where words are accepted.
    #[serde(default)]
    pub script: bool,
    /// Whether a list or a map counts as the text that JavaScript makes of it.
    #[serde(default)]
    pub joined: bool,
    /// The required value of another canonical field for this one to count. Otherwise any value is accepted and ignored.
    #[serde(default)]
    pub if_field: Option<Condition>,
    /// The smallest accepted number.
    #[serde(default)]
    pub at_least: Option<i64>,
    /// The documented limits of a number that loads with any value.
    #[serde(default)]
    pub range: Option<[u32; 2]>,
    /// What numbers, enumerations and lengths out of range mean.
    #[serde(default = "ignored")]
    pub out_of_bounds: Verdict,
    /// The places where the key has no effect.
    #[serde(default)]
    pub ignored_at: Vec<Level>,
    /// Whether it has hooks as the product's settings do.
    #[serde(default)]
    pub as_settings: bool,
    /// The product's message for a missing key; `{name}` is filled in.
    #[serde(default)]
    pub missing_text: String,
    /// The product's message for a value out of range; `{name}` and `{value}` are filled in.
    #[serde(default)]
    pub bounds_text: String,
}

/// A field of a map's entries: text, or a list where there is no text.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EntryFill {
    /// Its key.
    pub key: String,
    /// The key beside which it is required; empty if always.
    #[serde(default)]
    pub beside: String,
    /// The text.
    #[serde(default)]
    pub text: Option<String>,
    /// The items of the list.
    #[serde(default)]
    pub items: Vec<String>,
    /// Whether it is left out instead, because the product refuses it there.
    #[serde(default)]
    pub omit: bool,
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
    /// Lowercase letters, digits and single hyphens.
    Kebab,
    /// Lowercase letters, digits, hyphens and underscores.
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
    /// Text; plain numbers and booleans are refused.
    Text,
    /// Any scalar, as written; null counts as absent.
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
    /// Words: a list, or comma-separated text.
    Words,
    /// The same, but spaces separate words, too, also in an item of a list.
    Spaced,
    /// An endpoint: a map of two keys.
    Endpoint,
    /// A map, or a list of names and maps: only the names count.
    Names,
    /// Anything: kept verbatim.
    Any,
}

impl Shape {
    /// The words of a text.
    pub fn words<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let spaced = matches!(self, Self::Spaced);
        let words = text.split(move |c| c == ',' || spaced && c == ' ');
        words.map(str::trim).filter(|word| !word.is_empty())
    }
}

/// The whole number that a text begins with, as JavaScript's `parseInt` reads it.
pub fn leading_integer(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    text[..text.len() - rest.len()].parse().ok()
}

impl Key {
    /// Whether a value is one of the accepted ones.
    pub fn accepts(&self, value: &str) -> bool {
        let is = |known: &String| known == value || self.any_case && known.eq_ignore_ascii_case(value);
        let is_number = || self.script && leading_integer(value).is_some();
        self.one_of.is_empty() || self.one_of.iter().any(is) || is_number()
    }

    /// Whether a file without it is not loaded.
    pub fn is_required(&self) -> bool {
        self.missing == Verdict::Dropped
    }

    /// Whether it takes text.
    pub fn is_text(&self) -> bool {
        matches!(self.shape, Shape::Text | Shape::Scalar)
    }

    /// Whether it takes prose, in which any character may be literal.
    pub fn is_prose(&self) -> bool {
        matches!(
            self.field,
            Canonical::Description | Canonical::InitialPrompt | Canonical::Context
        )
    }

    /// The spelling for new files.
    pub fn written(&self) -> &str {
        self.write_as.as_deref().unwrap_or(&self.spellings[0])
    }

    /// The documented limits that a decimal number is outside of. Other notations are not judged.
    pub fn range_around(&self, number: &str) -> Option<[u32; 2]> {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let whole: i64 = whole.parse().ok()?;
        if !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
            return None;
        }
        let has_more = fraction.bytes().any(|digit| digit != b'0');
        let is_negative = number.starts_with('-');
        self.range.filter(|[least, most]| {
            let (least, most) = (i64::from(*least), i64::from(*most));
            let is_below = whole < least || (whole == least && is_negative && has_more);
            let is_above = whole > most || (whole == most && !is_negative && has_more);
            is_below || is_above
        })
    }
}

impl Form {
    /// Whether a name has this form.
    pub fn holds(self, name: &str) -> bool {
        const THEME: &[&str] = &[
            "primary",
            "secondary",
            "accent",
            "success",
            "warning",
            "error",
            "info",
        ];
        let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        match self {
            Self::ThemeColor => {
                let hex = |digits: &str| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit());
                THEME.contains(&name) || name.strip_prefix('#').is_some_and(hex)
            }
            Self::Kebab => name
                .split('-')
                .all(|part| !part.is_empty() && part.chars().all(lower)),
            Self::Slug => name.chars().all(|c| lower(c) || matches!(c, '-' | '_')),
            Self::Word => {
                let joins = |c: char| matches!(c, '-' | '_');
                name.chars().all(|c| c.is_alphanumeric() || joins(c)) && name.trim_matches(joins) == name
            }
        }
    }

    /// The form in words, after "is not".
    pub fn words(self) -> &'static str {
        match self {
            Self::Kebab => "in lowercase with hyphens",
            Self::Slug => "only lowercase letters, digits, hyphens and underscores",
            Self::ThemeColor => "`#RRGGBB` or a color of the theme",
            Self::Word => "only letters and digits with hyphens and underscores between them",
        }
    }
}
