//! A file that has been read, as the rules look at it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::{Definition, Field, Model};
use crate::dialect::{Canonical, Dialect, Dialects, Key, Level};
use crate::frontmatter::Parts;
use crate::span::{Span, Spanned};
use crate::tool_lists::ToolList;
use crate::yaml::{Node, Reading};

/// A file and what was made of it. Spans count bytes of `text`.
pub(crate) struct Subject<'a> {
    /// The file, as the host named it.
    pub(crate) path: &'a str,
    /// The kind of place that it lies in.
    pub(crate) level: Level,
    /// All of its text.
    pub(crate) text: &'a str,
    /// Its frontmatter and its body.
    pub(crate) parts: &'a Parts,
    /// The frontmatter's value, by the weakest reading that was needed.
    pub(crate) root: Option<&'a Node>,
    /// The comments of its frontmatter; none where that had to be read line by line.
    pub(crate) comments: &'a [Spanned<String>],
    /// How its frontmatter had to be read.
    pub(crate) reading: Reading,
    /// What its dialect makes of it.
    pub(crate) definition: &'a Definition,
    /// Its lists of tools, with what their entries mean.
    pub(crate) tools: Vec<ToolList<'a>>,
    /// The dialect that read it.
    pub(crate) dialect: &'a Dialect,
    /// All dialects.
    pub(crate) dialects: &'a Dialects,
}

impl<'a> Subject<'a> {
    /// Every key of the frontmatter with its value, in file order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'a Field, &'a Node)> {
        let entries = self.root.map(Node::entries).unwrap_or_default();
        // Fields are made of entries, one of each.
        self.definition
            .fields
            .iter()
            .zip(entries.iter().map(|entry| &entry.value))
    }

    /// Every key that the dialect knows, with its value and the dialect's rule for it.
    pub(crate) fn known(&self) -> impl Iterator<Item = (&'a Key, &'a Field, &'a Node)> {
        let dialect = self.dialect;
        let rule = move |(field, node): (&'a Field, &'a Node)| Some((dialect.key(&field.key)?, field, node));
        self.entries().filter_map(rule)
    }

    /// The model, where it is called by no short name of the dialect's, and the field that says so.
    pub(crate) fn model_id(&self) -> Option<(&'a str, &'a Field)> {
        match &self.definition.model {
            Model::Id(model) => Some((model, self.definition.field(Canonical::Model)?)),
            _ => None,
        }
    }

    /// The prompt as it stands, untrimmed.
    pub(crate) fn body(&self) -> &'a str {
        self.parts.body.of(self.text)
    }

    /// The value of a field as it stands in the tree.
    pub(crate) fn node(&self, field: &Field) -> Option<&'a Node> {
        self.root?.get(&field.key)
    }

    /// Where a word stands within a span, or the span.
    pub(crate) fn within(&self, span: Span, word: &str) -> Span {
        let at = span.of(self.text).find(word);
        at.map_or(span, |at| {
            let start = span.start.index() + at;
            Span::new(start, start + word.len())
        })
    }

    /// Where something is reported that stands nowhere: the opening fence.
    pub(crate) fn opening(&self) -> Span {
        let frontmatter = self.parts.frontmatter;
        frontmatter.map_or(Span::at(self.parts.body.start.index()), |parts| parts.opening)
    }
}
