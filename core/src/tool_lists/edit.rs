//! Edits of a list of tools that keep its format.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::ToolList;
use crate::diagnostic::Edit;
use crate::span::Span;

impl ToolList<'_> {
    /// The places of the entries; none if some are unknown.
    fn places(&self) -> Option<Vec<Span>> {
        let places: Vec<Span> = self.entries.iter().map(|entry| entry.rule.span).collect();
        let apart = places.windows(2).all(|pair| pair[0].end <= pair[1].start);
        (apart && !places.is_empty()).then_some(places)
    }

    /// Removes an entry and its separator.
    pub(crate) fn without(&self, at: usize, text: &str) -> Option<Vec<Edit>> {
        let places = self.places()?;
        let span = match at.checked_sub(1) {
            Some(before) => Span::new(places[before].end.index(), places[at].end.index()),
            None => Span::new(places[0].start.index(), places.get(1)?.start.index()),
        };
        let plain = !span.of(text).contains('#');
        plain.then(|| {
            vec![Edit {
                span,
                text: String::new(),
            }]
        })
    }

    /// Replaces some entries by other names, without repeating existing ones. None if nothing is left.
    pub(crate) fn with(&self, names: &[Option<Vec<String>>], text: &str) -> Option<Vec<Edit>> {
        let places = self.places()?;
        let (first, last) = (places.first()?, places.last()?);
        let whole = Span::new(first.start.index(), last.end.index());
        if whole.of(text).contains('#') {
            return None;
        }
        let mut written: Vec<String> = Vec::new();
        for (place, names) in places.iter().zip(names) {
            let entry = place.of(text);
            let quote = match entry.chars().next() {
                Some(quote @ ('"' | '\'')) => quote.to_string(),
                _ => String::new(),
            };
            let entries = match names {
                None => vec![entry.to_string()],
                Some(names) => names
                    .iter()
                    .map(|name| [&*quote, name, &*quote].concat())
                    .collect(),
            };
            for entry in entries {
                if !written.contains(&entry) {
                    written.push(entry);
                }
            }
        }
        let divider = self.divider(&places, text);
        (!written.is_empty()).then(|| {
            vec![Edit {
                span: whole,
                text: written.join(&divider),
            }]
        })
    }

    /// The text between two entries.
    fn divider(&self, places: &[Span], text: &str) -> String {
        if let [first, second, ..] = places {
            return text[first.end.index()..second.start.index()].to_string();
        }
        let before = &text[..places[0].start.index()];
        let end = before
            .rfind('\n')
            .map_or(0, |end| before[..end].trim_end_matches('\r').len());
        let line = &before[end..];
        if line.trim_start() == "- " {
            line.to_string()
        } else {
            ", ".to_string()
        }
    }
}
