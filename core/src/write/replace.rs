//! One change as edits: a replaced value, an added line or a removed line.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Value;
use super::emit::{after_colon, items, text_like};
use super::page::{Page, is_flow};
use super::scalar::{Place, scalar};
use super::target::Target;
use crate::diagnostic::Edit;
use crate::dialect::{Dialect, Key};
use crate::span::Span;
use crate::yaml::{Entry, Kind, Node};

impl Target<'_> {
    /// The edits of the change.
    pub(super) fn edits(&self, page: &Page<'_>, dialect: &Dialect) -> Vec<Edit> {
        let mine = |entry: &&Entry| entry.key.as_text().is_some_and(|key| self.is(key));
        let mut entries: Vec<&Entry> = page.entries.iter().filter(mine).collect();
        let mut edits = match &self.value {
            None => Vec::new(),
            Some(value) => match entries.pop() {
                Some(entry) => self.replace(page, entry, value),
                None => self.insert(page, dialect, value),
            },
        };
        // A duplicate key is set once.
        let remove = |entry: &Entry| replace(page.lines(entry), String::new());
        edits.extend(entries.into_iter().map(remove));
        edits
    }

    fn insert(&self, page: &Page<'_>, dialect: &Dialect, value: &Value) -> Vec<Edit> {
        let keys = dialect.keys.iter();
        let before: Vec<&Key> = keys
            .take_while(|key| !key.spellings.contains(&self.spelling))
            .collect();
        let before = before.iter().rev().flat_map(|key| &key.spellings);
        let place = page.place_after(before.map(|spelling| &**spelling));
        let text = format!(
            "{}{}:{}",
            page.indent(),
            self.spelling,
            self.after_colon(page, value, None)
        );
        alloc::vec![replace(Span::at(place), text + page.newline())]
    }

    fn replace(&self, page: &Page<'_>, entry: &Entry, value: &Value) -> Vec<Edit> {
        let (old, colon) = (page.value(entry), page.colon(entry));
        let on_key_line = !page.text[colon..old.start.index()].contains(['\n', '\r']);
        let is_block = !matches!(entry.value.kind, Kind::Scalar { .. }) && !is_flow(page.text, &entry.value);
        let items = items(value);
        if let Some(old) = entry
            .value
            .items()
            .filter(|_| is_block && !on_key_line && !items.is_empty())
        {
            return replace_items(page, old, &items);
        }
        let new = self.after_colon(page, value, Some(entry));
        if new.contains(['\n', '\r']) || new.is_empty() {
            changed(page, Span::new(colon, old.end.index()), new)
        } else if old.is_empty() {
            changed(page, Span::at(colon), new)
        } else if is_block && !on_key_line {
            // The comment after the key is kept.
            let lines = Span::new(page.line_end(colon), old.end.index());
            alloc::vec![replace(Span::at(colon), new), replace(lines, String::new())]
        } else {
            changed(page, old, new.trim_start().to_owned())
        }
    }

    fn after_colon(&self, page: &Page<'_>, value: &Value, old: Option<&Entry>) -> String {
        let like = old.map(|entry| &entry.value);
        let text = match (self.key, value) {
            (Some(key), value) => after_colon(key, value, like),
            (None, Value::Text(text) | Value::Entered(text)) => text_like(text, like),
            (None, _) => String::new(),
        };
        let line = format!("{}{}", page.newline(), page.indent());
        text.replace('\n', &line)
    }
}

/// Items with a line each. Unchanged ones at both ends are kept with their comments.
fn replace_items(page: &Page<'_>, old: &[Node], new: &[String]) -> Vec<Edit> {
    let same = |(old, new): &(&Node, &String)| old.as_text() == Some(new);
    let before = old.iter().zip(new).take_while(same).count();
    let most = old.len().min(new.len()) - before;
    let after = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(most)
        .take_while(same)
        .count();
    let line = |item: &Node| {
        let end = page.line_after(item.span.end.index());
        Span::new(page.line_start(item.span.start.index()), end)
    };
    let start = match (old.get(before), old.last()) {
        (Some(item), _) => line(item).start.index(),
        (None, Some(last)) => line(last).end.index(),
        (None, None) => return Vec::new(),
    };
    let gone = old[before..old.len() - after].last();
    let end = gone.map_or(start, |item| line(item).end.index());
    let first = &old[0];
    let dash = &page.text[line(first).start.index()..first.span.start.index()];
    let lines = new[before..new.len() - after].iter();
    let lines = lines.map(|item| format!("{dash}{}{}", scalar(item, Place::Block), page.newline()));
    changed(page, Span::new(start, end), lines.collect())
}

fn replace(span: Span, text: String) -> Edit {
    Edit { span, text }
}

/// None if the text is the same.
fn changed(page: &Page<'_>, span: Span, text: String) -> Vec<Edit> {
    if span.of(page.text) == text {
        return Vec::new();
    }
    alloc::vec![replace(span, text)]
}
