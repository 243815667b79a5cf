//! A file that has been read, as input for the rules.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::{Definition, Field, Model};
use crate::dialect::{Canonical, Dialect, Dialects, Key, Level};
use crate::frontmatter::Parts;
use crate::span::{Span, Spanned};
use crate::tool_lists::ToolList;
use crate::yaml::{Node, Reading};

/// A file and its parts. Spans count bytes of `text`.
pub(crate) struct Subject<'a> {
    /// The file, by the host's name.
    pub(crate) path: &'a str,
    /// The kind of its place.
    pub(crate) level: Level,
    /// All of its text.
    pub(crate) text: &'a str,
    /// Its frontmatter and its body.
    pub(crate) parts: &'a Parts,
    /// The frontmatter's value, by the weakest reading that was needed.
    pub(crate) root: Option<&'a Node>,
    /// The comments of its frontmatter; none if that was read line by line.
    pub(crate) comments: &'a [Spanned<String>],
    /// How its frontmatter was read.
    pub(crate) reading: Reading,
    /// The definition in its dialect.
    pub(crate) definition: &'a Definition,
    /// Its lists of tools, with the meaning of their entries.
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
        // Each field is made of one entry.
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

    /// The hooks that are written as in the dialect's settings.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = &'a Node> {
        self.known()
            .filter(|(key, ..)| key.as_settings)
            .map(|(_, _, node)| node)
    }

    /// The model, unless it is an alias of the dialect, and its field.
    pub(crate) fn model_id(&self) -> Option<(&'a str, &'a Field)> {
        match &self.definition.model {
            Model::Id(model) => Some((model, self.definition.field(Canonical::Model)?)),
            _ => None,
        }
    }

    /// The prompt as written, untrimmed.
    pub(crate) fn body(&self) -> &'a str {
        self.parts.body.of(self.text)
    }

    /// The text of a field.
    pub(crate) fn text_of(&self, field: Canonical) -> Option<String> {
        let node = self.node(self.definition.field(field)?)?;
        node.as_text().map(ToOwned::to_owned)
    }

    /// The value of a field in the tree.
    pub(crate) fn node(&self, field: &Field) -> Option<&'a Node> {
        self.root?.get(&field.key)
    }

    /// The place of findings without a place of their own: the opening fence.
    pub(crate) fn opening(&self) -> Span {
        let frontmatter = self.parts.frontmatter;
        frontmatter.map_or(Span::at(self.parts.body.start.index()), |parts| parts.opening)
    }
}
