//! The file that a command is given: by its path, or by a name.

use std::path::Path;

use callsheet::output::text::clean;

use super::context::Context;
use super::why;
use crate::exit::Failure;

/// The path, and its dialect if known. `purpose` completes "has no file to".
pub(super) fn file(
    context: &mut Context,
    what: &str,
    purpose: &str,
) -> Result<(String, Option<String>), Failure> {
    if Path::new(what).is_file() {
        return Ok((what.to_owned(), context.options.dialect.clone()));
    }
    for dialect in context.dialects()? {
        if let Some(found) = context.open(&dialect)?.get(what)? {
            let path = found.origin.path.ok_or_else(|| {
                Failure::nothing_found(format!("`{}` has no file to {purpose}", clean(what)))
            })?;
            return Ok((path, Some(dialect)));
        }
    }
    if [".md", ".toml", ".json"].iter().any(|end| what.ends_with(end)) {
        Err(Failure::trouble(format!("file not found: {}", clean(what))))
    } else {
        Err(why::not_found(context, what)?)
    }
}
