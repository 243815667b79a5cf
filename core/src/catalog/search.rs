//! Search over names and descriptions.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Catalog, Entry, Standing};
use crate::closest::distance;
use crate::order::sorted_indices;

/// Kinds of matches for a word of the query, the best first. Only the order of the numbers matters: any name before any description.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Description = 1,
    DescriptionWord = 2,
    MisspeltName = 4,
    InName = 8,
    NameWord = 16,
    Name = 32,
}

impl Catalog {
    /// The active definitions whose name or description matches every word of the query, the best first.
    pub fn search(&self, query: &str, limit: u32) -> Vec<Entry> {
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let active = self
            .ranking
            .order()
            .filter(|(_, standing)| *standing == Standing::Active);
        let found: Vec<(u32, usize)> = active
            .filter_map(|(index, _)| {
                let item = &self.items[index];
                Some((u32::MAX - score(&words, &item.name, &item.description)?, index))
            })
            .collect();
        nearest(found, limit as usize)
            .map(|index| self.entry(index))
            .collect()
    }
}

/// The indices of the smallest distances, in their order among equals.
pub(super) fn nearest(found: Vec<(u32, usize)>, limit: usize) -> impl Iterator<Item = usize> {
    let order = sorted_indices(found.len(), &|a, b| found[a].0.cmp(&found[b].0));
    order.into_iter().map(move |at| found[at].1).take(limit)
}

fn score(words: &[String], name: &str, description: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let description = description.to_lowercase();
    let fits: Option<Vec<Fit>> = words.iter().map(|word| fit(word, &name, &description)).collect();
    let fits = fits.filter(|fits| !fits.is_empty())?;
    Some(fits.into_iter().map(|fit| fit as u32).sum())
}

fn fit(word: &str, name: &str, description: &str) -> Option<Fit> {
    let parts = |text: &'_ str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(Into::into).collect()
    };
    let name_words = parts(name);
    if name == word {
        return Some(Fit::Name);
    }
    if name_words.iter().any(|part| part == word) {
        return Some(Fit::NameWord);
    }
    if name.contains(word) {
        return Some(Fit::InName);
    }
    let misspelt = |part: &String| word.chars().count() > 2 && distance(word, part).is_some();
    if misspelt(&name.into()) || name_words.iter().any(misspelt) {
        return Some(Fit::MisspeltName);
    }
    let description_words = parts(description);
    if description_words.iter().any(|part| part == word) {
        return Some(Fit::DescriptionWord);
    }
    let loosely = description.contains(word) || description_words.iter().any(misspelt);
    loosely.then_some(Fit::Description)
}
