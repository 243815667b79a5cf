//! The parts of a file, as a release sees them.

use alloc::borrow::Cow;
use alloc::string::String;

/// A file in two parts.
pub(in crate::reader) struct Split<'text> {
    /// The text between the fences.
    pub(in crate::reader) frontmatter: Frontmatter<'text>,
    /// The source of the prompt.
    pub(in crate::reader) body: Cow<'text, str>,
}

/// The text between the fences.
pub(in crate::reader) enum Frontmatter<'text> {
    /// There are none: every key is absent.
    None,
    /// YAML.
    Yaml(Cow<'text, str>),
    /// JSON.
    Json(Cow<'text, str>),
    /// The whole file is YAML, with the prompt among its keys.
    Whole(&'text str),
    /// The whole file is TOML, with the prompt among its keys.
    Toml(&'text str),
    /// The release refuses it, for this reason.
    Refused(String),
}

/// A file that is all body.
pub(super) fn without(text: &str) -> Split<'_> {
    Split {
        frontmatter: Frontmatter::None,
        body: Cow::Borrowed(text),
    }
}
