//! Changes to an existing file, as edits that leave every other byte unchanged.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use super::body;
use super::page::Page;
use super::target::{last, targets};
use super::unchanged::{edited, entangled, is_unchanged, joined};
use super::{Change, EditError, toml_edit};
use crate::diagnostic::Edit;
use crate::dialect::{Dialect, Format, Kind, NoFrontmatter};
use crate::limits::FILE_BYTES;
use crate::lines::first_end;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::Node;

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
        Format::Markdown if is_bare(&source, dialect) => bare(&source, dialect, changes, prompt)?,
        Format::Markdown => markdown(&source, dialect, changes, prompt)?,
    };
    let stored = |edit: Edit| Edit {
        span: source.stored(edit.span),
        ..edit
    };
    Ok(edits.into_iter().map(stored).collect())
}

/// The value of a key in a Markdown file that can be edited: of its last entry, which counts.
pub fn stated(bytes: &[u8], spelling: &str) -> Option<Node> {
    let source = Source::new(bytes);
    let page = Page::open(&source).ok()?;
    last(&page.entries, spelling).map(|entry| entry.value.clone())
}

/// Whether a file is the text of a skill or a command alone, which the dialect loads.
fn is_bare(source: &Source<'_>, dialect: &Dialect) -> bool {
    let text = &source.text[start(source)..];
    // Otherwise it may be a frontmatter without its first line.
    let has_key = || {
        let key = text.trim_start().split_once(':').map(|(key, _)| key);
        key.is_some_and(|key| dialect.key(key.trim()).is_some())
    };
    let is_fine = dialect.body.no_frontmatter == NoFrontmatter::Agent && dialect.kind != Kind::Agent;
    is_fine && !text.trim().is_empty() && !is_fenced(text) && !has_key()
}

fn is_fenced(text: &str) -> bool {
    text.trim_start().starts_with("---")
}

fn start(source: &Source<'_>) -> usize {
    source.byte_order_mark().map_or(0, |mark| mark.end.index())
}

/// The edits of a file without a frontmatter, which gets one only if a key needs it.
fn bare(
    source: &Source<'_>,
    dialect: &Dialect,
    changes: &[Change],
    prompt: Option<&str>,
) -> Result<Vec<Edit>, EditError> {
    let (start, newline) = (start(source), first_end(&source.text));
    let front = ["---", "---", ""].map(|line| [line, newline].concat()).concat();
    let (mark, text) = source.text.split_at(start);
    let whole = [mark, &front, text].concat();
    let edits = markdown(&Source::new(whole.as_bytes()), dialect, changes, prompt)?;
    let end = start + front.len();
    let (keys, body): (Vec<Edit>, Vec<Edit>) =
        edits.into_iter().partition(|edit| edit.span.start.index() < end);
    let shifted = body.into_iter().map(|edit| Edit {
        span: Span::new(
            edit.span.start.index() - front.len(),
            edit.span.end.index() - front.len(),
        ),
        ..edit
    });
    let mut edits: Vec<Edit> = shifted.collect();
    // A new prompt must not be read as a frontmatter.
    if !keys.is_empty() || is_fenced(&edited(&source.text, &edits)[start..]) {
        let front = Edit {
            span: Span::at(start),
            text: edited(&whole[..end], &keys)[start..].to_owned(),
        };
        edits.insert(0, front);
    }
    Ok(edits)
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
