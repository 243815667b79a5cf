//! What others may know of agents.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Catalog, Standing};
use crate::definition::Definition;
use crate::dialect::{Canonical, Level};
use crate::examples::examples;
use crate::rules::{hidden_character, secret};

/// What others may know of an agent: neither its prompt nor what it may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// When to use it, without examples; its name if it does not say.
    pub description: String,
    /// The examples in its description.
    pub examples: Vec<String>,
    /// The words of its name.
    pub tags: Vec<String>,
    /// The keys of its file that are left out.
    pub left_out: Vec<String>,
}

impl Catalog {
    /// Of the active agents with these names; without names, of all in the project's own folders. Sorted by name.
    ///
    /// Other folders make no difference to the agents of a project, so that everyone who has it gets the same.
    pub fn cards(&mut self, names: &[String]) -> Vec<Card> {
        let is_of_project = |index: usize| self.slots[self.items[index].slot].level == Level::Project;
        let is_meant = |(index, standing): &(usize, Standing)| match standing {
            Standing::Active if !names.is_empty() => names.contains(&self.items[*index].name),
            Standing::Active | Standing::Shadowed => names.is_empty() && is_of_project(*index),
            _ => false,
        };
        let mut chosen: Vec<usize> = self
            .ranking
            .order()
            .filter(is_meant)
            .map(|(index, _)| index)
            .collect();
        chosen.dedup_by(|a, b| self.items[*a].name == self.items[*b].name);
        let card = |index: usize| {
            let name = self.items[index].name.clone();
            let merged = self.get(&name).filter(|_| !names.is_empty());
            let definition = merged.map_or_else(|| self.definition(index), |(definition, _)| definition);
            card(name, &definition)
        };
        chosen.into_iter().map(card).collect()
    }
}

fn card(name: String, definition: &Rc<Definition>) -> Card {
    let description = shown(&without_examples(&definition.description));
    let words = name.split(|c: char| !c.is_alphanumeric());
    let mut tags: Vec<String> = Vec::new();
    for word in words.filter(|word| !word.is_empty()).map(str::to_lowercase) {
        if !tags.contains(&word) {
            tags.push(word);
        }
    }
    if tags.is_empty() {
        tags.push(name.clone());
    }
    let is_in_card =
        |field: Option<Canonical>| matches!(field, Some(Canonical::Name | Canonical::Description));
    let fields = definition
        .fields
        .iter()
        .filter(|field| !is_in_card(field.canonical));
    let mut left_out: Vec<String> = Vec::new();
    for key in fields.map(|field| &field.key).chain([&"prompt".to_string()]) {
        if !left_out.contains(key) {
            left_out.push(key.clone());
        }
    }
    Card {
        description: if description.is_empty() {
            name.clone()
        } else {
            description
        },
        examples: definition.examples.iter().map(|example| shown(example)).collect(),
        name,
        tags,
        left_out,
    }
}

/// The text before the first example and after the last, without a heading and a list for them.
fn without_examples(text: &str) -> String {
    let mut spans = examples(text).map(|example| example.span);
    let Some(first) = spans.next() else {
        return text.to_string();
    };
    let last = spans.last().unwrap_or(first);
    let (before, after) = (&text[..first.start.index()], &text[last.end.index()..]);
    let mut before = bare(before);
    for heading in ["Examples:", "Example:"] {
        before = before.strip_suffix(heading).map_or(before, bare);
    }
    let parts = [before, bare(after)];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n\n")
}

/// Without the space and the marks of lists around a text. Many descriptions have `\n` in two characters.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let shorter = text.strip_suffix('-').or_else(|| text.strip_suffix("\\n"));
        match shorter.or_else(|| text.strip_prefix("\\n")) {
            Some(shorter) => text = shorter.trim(),
            None => return text,
        }
    }
}

/// A text for others.
fn shown(text: &str) -> String {
    let text = hidden_character::without(text);
    secret::without(&text).trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::without_examples;

    #[test]
    fn descriptions_lose_examples_and_their_heading() {
        for (text, expected) in [
            ("Plans.", "Plans."),
            (
                "Plans. Examples:\n\n- <example>a</example>\n- <example>b</example>\n- ",
                "Plans.",
            ),
            ("Plans.\\n\\nExample:\\n<example>a</example>\\n", "Plans."),
            (
                "Plans. <example>a</example> c <example>b</example> Not for text.",
                "Plans.\n\nNot for text.",
            ),
            ("<example>a</example>", ""),
            ("Plans - <example>not closed", "Plans - <example>not closed"),
        ] {
            assert_eq!(without_examples(text), expected);
        }
    }
}
