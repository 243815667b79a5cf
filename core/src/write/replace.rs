//! One change as edits: a value in place of another, a line more, a line less.

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
use crate::yaml::{Entry, Kind};

impl Target<'_> {
    /// What the change comes to.
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
        // A key that stands twice is set once.
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
        if is_block && !on_key_line && entry.value.items().is_some() && !items.is_empty() {
            let start = old.start.index();
            let line = format!(
                "{}{}- ",
                page.newline(),
                &page.text[page.line_start(start)..start]
            );
            let items: Vec<String> = items.iter().map(|item| scalar(item, Place::Block)).collect();
            return changed(page, old, format!("- {}", items.join(&line)));
        }
        let new = self.after_colon(page, value, Some(entry));
        if new.contains(['\n', '\r']) || new.is_empty() {
            changed(page, Span::new(colon, old.end.index()), new)
        } else if old.is_empty() {
            changed(page, Span::at(colon), new)
        } else if is_block && !on_key_line {
            // The comment behind the key stays.
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

fn replace(span: Span, text: String) -> Edit {
    Edit { span, text }
}

/// Nothing where the same stands there already.
fn changed(page: &Page<'_>, span: Span, text: String) -> Vec<Edit> {
    if span.of(page.text) == text {
        return Vec::new();
    }
    alloc::vec![replace(span, text)]
}
