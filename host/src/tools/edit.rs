//! Replaces text in the contents of a file. Line ends and a byte order mark are kept.

use std::borrow::Cow;

use memchr::memmem;

use super::arguments::Arguments;
use super::text::{BOM, is_binary};

/// One replacement.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) old: String,
    pub(super) new: String,
    /// Whether to replace all occurrences.
    pub(super) all: bool,
    /// The required number of occurrences.
    pub(super) expected: Option<usize>,
}

/// The replacements of a call, in order.
pub(super) fn edits(arguments: &Arguments) -> Result<Vec<Edit>, String> {
    match arguments.list("edits") {
        Some([]) => Err("there are no edits".into()),
        Some(items) => items.iter().map(|item| one(&item.try_into()?)).collect(),
        None => Ok([one(arguments)?].into()),
    }
}

fn one(arguments: &Arguments) -> Result<Edit, String> {
    let expected = arguments.number(&["expected_replacements"]);
    let expected = expected.and_then(|count| usize::try_from(count).ok());
    Ok(Edit {
        old: arguments
            .demand(&["old_string", "oldString", "old_str", "old_text"])?
            .into(),
        new: arguments
            .demand(&["new_string", "newString", "new_str", "new_text"])?
            .into(),
        all: arguments.flag(&["replace_all", "replaceAll", "allow_multiple"]) || expected > Some(1),
        expected,
    })
}

/// The contents after all replacements; if one of them is impossible, none is made.
pub(super) fn edited(contents: &[u8], edits: &[Edit]) -> Result<Vec<u8>, String> {
    if is_binary(contents) {
        return Err("it is a binary file".into());
    }
    let (mark, text) = match contents.strip_prefix(BOM) {
        Some(text) => (BOM, text),
        None => (&[][..], contents),
    };
    let mut text = Cow::Borrowed(text);
    for edit in edits {
        text = Cow::Owned(replaced(&text, edit)?);
    }
    Ok([mark, &*text].concat())
}

fn replaced(text: &[u8], edit: &Edit) -> Result<Vec<u8>, String> {
    let old = edit.old.trim_start_matches('\u{feff}');
    let new = edit.new.trim_start_matches('\u{feff}');
    if old.is_empty() {
        return Err("the old text is empty; to write a whole file, use the tool for that".into());
    }
    if old == new {
        return Err("the old text and the new one are the same".into());
    }
    for (old, new) in spellings(text, old, new) {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let Some(first) = memmem::find(text, old) else {
            continue;
        };
        if edit.all {
            let places: Vec<usize> = memmem::find_iter(text, old).collect();
            expect(edit.expected, places.len())?;
            return Ok(spliced(text, &places, old.len(), new));
        }
        // Overlapping ones count, too: the intended one is unknown.
        if memmem::find(&text[first + 1..], old).is_some() {
            let times = memmem::find_iter(text, old).count().max(2);
            return Err(format!(
                "the old text occurs {times} times: include more context, or set `replace_all`"
            ));
        }
        expect(edit.expected, 1)?;
        return Ok(spliced(text, &[first], old.len(), new));
    }
    Err("old text not found: it must match exactly, including whitespace, without line numbers".into())
}

fn expect(expected: Option<usize>, found: usize) -> Result<(), String> {
    match expected {
        Some(count) if count != found => Err(format!("the old text occurs {found} times, not {count}")),
        _ => Ok(()),
    }
}

/// The line ends that the texts may have in a file: models write LF for any file.
fn spellings<'a>(text: &[u8], old: &'a str, new: &'a str) -> Vec<(Cow<'a, str>, Cow<'a, str>)> {
    let dos = |text: &str| Cow::from(text.replace("\r\n", "\n").replace('\n', "\r\n"));
    let unix = |text: &str| Cow::from(text.replace("\r\n", "\n"));
    let lines = memchr::memchr_iter(b'\n', text).count();
    let as_dos = (dos(old), dos(new));
    let as_is = (Cow::from(old), Cow::from(new));
    match memmem::find_iter(text, "\r\n").count() {
        0 => [as_is, (unix(old), unix(new))].into(),
        count if count == lines => [as_dos].into(),
        _ => [as_is, as_dos].into(),
    }
}

fn spliced(text: &[u8], places: &[usize], length: usize, new: &[u8]) -> Vec<u8> {
    let (mut out, mut done) = (Vec::with_capacity(text.len()), 0);
    for place in places {
        out.extend_from_slice(&text[done..*place]);
        out.extend_from_slice(new);
        done = place + length;
    }
    out.extend_from_slice(&text[done..]);
    out
}
