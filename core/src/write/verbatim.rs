//! A file with keys as another file has them.

use alloc::string::String;

use super::render::write_prompt;
use super::{emit, toml};
use crate::dialect::{Dialect, Format};
use crate::yaml::Entry;

/// A file with these keys, none of them twice. None if its format cannot express a value.
pub(crate) fn verbatim(keys: &[Entry], prompt: &str, dialect: &Dialect) -> Option<String> {
    if dialect.format == Format::Toml {
        return toml::keys(keys);
    }
    let mut text = String::from("---\n");
    emit::keys(keys, &mut text);
    text.push_str("---\n");
    write_prompt(prompt, dialect, &mut text);
    Some(text)
}
