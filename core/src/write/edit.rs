//! Changes to an existing file, as edits that leave every other byte unchanged.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::body;
use super::page::Page;
use super::target::targets;
use super::unchanged::{edited, is_unchanged};
use super::{Change, Refusal, toml_edit};
use crate::diagnostic::Edit;
use crate::dialect::{Dialect, Format};
use crate::limits::FILE_BYTES;
use crate::order;
use crate::source::Source;

/// Why a file cannot be edited.
#[derive(Clone, Debug, PartialEq)]
pub enum EditError {
    /// Its keys cannot be read reliably; the reason, as one sentence without a full stop.
    Unreadable(String),
    /// Some of the changes cannot be made.
    Refused(Vec<Refusal>),
}

/// The edits that make the changes and replace the prompt, sorted, in bytes as stored. None if the file needs none.
///
/// Comments, the order of keys, quotes, line ends and all other values are kept.
pub fn edit(
    bytes: &[u8],
    dialect: &Dialect,
    changes: &[Change],
    prompt: Option<&str>,
) -> Result<Vec<Edit>, EditError> {
    if bytes.len() > FILE_BYTES {
        return Err(EditError::Unreadable("it is too large".to_owned()));
    }
    let source = Source::new(bytes);
    let edits = match dialect.format {
        Format::Toml => toml_edit::edits(&source, dialect, changes, prompt)?,
        Format::Markdown => markdown(&source, dialect, changes, prompt)?,
    };
    let stored = |edit: Edit| Edit {
        span: source.stored(edit.span),
        ..edit
    };
    Ok(edits.into_iter().map(stored).collect())
}

fn markdown(
    source: &Source<'_>,
    dialect: &Dialect,
    changes: &[Change],
    prompt: Option<&str>,
) -> Result<Vec<Edit>, EditError> {
    let page = Page::open(source).map_err(EditError::Unreadable)?;
    let targets = targets(&page.entries, dialect, changes).map_err(EditError::Refused)?;
    let edits = targets.iter().flat_map(|target| target.edits(&page, dialect));
    let mut edits: Vec<Edit> = edits.collect();
    if let Some(prompt) = prompt {
        edits.extend(body::edit(&page, dialect, prompt).map_err(EditError::Refused)?);
    }
    let edits = joined(edits);
    let meant = |spelling: &str| targets.iter().any(|target| target.is(spelling));
    if is_unchanged(&page, &edited(page.text, &edits), &meant, prompt) {
        Ok(edits)
    } else {
        Err(entangled())
    }
}

/// A change would also change another value.
pub(super) fn entangled() -> EditError {
    let reason = "its values depend on each other, so one cannot be changed alone";
    EditError::Unreadable(reason.to_owned())
}

/// The edits in order, with adjacent ones merged.
pub(super) fn joined(edits: Vec<Edit>) -> Vec<Edit> {
    let sorted = order::sorted(edits, |a, b| {
        (a.span.start, a.span.end).cmp(&(b.span.start, b.span.end))
    });
    let mut joined: Vec<Edit> = Vec::new();
    for edit in sorted {
        match joined.last_mut() {
            Some(last) if last.span.end == edit.span.start => {
                last.span.end = edit.span.end;
                last.text.push_str(&edit.text);
            }
            _ => joined.push(edit),
        }
    }
    joined
}
