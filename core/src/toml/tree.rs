//! A tree of TOML that grows key by key and table by table.

use alloc::rc::Rc;
use alloc::vec::Vec;

use hashbrown::HashMap;
use toml_parser::ParseError;

use crate::limits::YAML_DEPTH;
use crate::order::sorted;
use crate::span::Span;
use crate::yaml::{Entry, Kind, Node};

/// The outermost table.
pub(super) const ROOT: usize = 0;

/// A table for values without a place. It is not part of the result.
pub(super) const NOWHERE: usize = 1;

/// The tree so far. A nested value has a higher number than its container.
pub(super) struct Tree {
    items: Vec<Item>,
    places: HashMap<(usize, Rc<str>), usize>,
}

/// A key, or a part of one.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) text: Rc<str>,
    /// In the parser's terms, for its errors.
    pub(super) written: toml_parser::Span,
    pub(super) span: Span,
}

struct Item {
    parent: usize,
    depth: usize,
    /// None in lists.
    key: Option<Key>,
    span: Span,
    what: What,
}

/// The value of a key.
pub(super) enum What {
    Value(Node),
    List(Vec<Node>),
    /// An array of tables. Values are added to its last table.
    Tables(usize, Vec<Node>),
    Table(Made, Vec<Entry>),
}

/// How a table was defined, which decides how it may be extended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// By a header of its own.
    Named,
    /// By the header of a nested table.
    Implied,
    /// By a key with dots.
    Dotted,
    /// Inline.
    Inline,
}

impl Tree {
    pub(super) fn new(whole: Span) -> Self {
        let table = || Item {
            parent: usize::MAX,
            depth: 0,
            key: None,
            span: whole,
            what: What::Table(Made::Named, Vec::new()),
        };
        Self {
            items: Vec::from([table(), table()]),
            places: HashMap::new(),
        }
    }

    /// Adds the value of a table's key.
    pub(super) fn put(
        &mut self,
        table: usize,
        path: &[Key],
        key: &Key,
        span: Span,
        what: What,
    ) -> Result<usize, ParseError> {
        let table = self.within(table, path, true)?;
        match self.at(table, key) {
            Some(_) => Err(duplicate(key)),
            None => self.add(table, Some(key), span, what),
        }
    }

    /// Adds to a list.
    pub(super) fn push(&mut self, list: usize, span: Span, what: What) -> Result<usize, ParseError> {
        self.add(list, None, span, what)
    }

    /// The table of a header: a new one of an array, or the only one of its name.
    pub(super) fn header(
        &mut self,
        path: &[Key],
        key: &Key,
        span: Span,
        of_many: bool,
    ) -> Result<usize, ParseError> {
        let parent = self.within(ROOT, path, false)?;
        let table = What::Table(Made::Named, Vec::new());
        let at = self.at(parent, key);
        if of_many {
            return self.one_of_many(parent, at, key, span, table);
        }
        let Some(at) = at else {
            return self.add(parent, Some(key), span, table);
        };
        let item = &mut self.items[at];
        match &mut item.what {
            What::Table(made @ Made::Implied, _) => *made = Made::Named,
            _ => return Err(duplicate(key)),
        }
        item.key = Some(key.clone());
        item.span = span;
        Ok(at)
    }

    fn one_of_many(
        &mut self,
        parent: usize,
        at: Option<usize>,
        key: &Key,
        span: Span,
        table: What,
    ) -> Result<usize, ParseError> {
        let list = match at {
            Some(list) => list,
            None => self.add(parent, Some(key), span, What::Tables(NOWHERE, Vec::new()))?,
        };
        if !matches!(self.items[list].what, What::Tables(..)) {
            return Err(duplicate(key));
        }
        let added = self.add(list, None, span, table)?;
        if let What::Tables(last, _) = &mut self.items[list].what {
            *last = added;
        }
        Ok(added)
    }

    /// Sets where a list or an inline table ends.
    pub(super) fn close(&mut self, item: usize, end: Span) {
        if item != NOWHERE {
            self.items[item].span.end = end.end;
        }
    }

    fn at(&self, table: usize, key: &Key) -> Option<usize> {
        self.places.get(&(table, Rc::clone(&key.text))).copied()
    }

    /// The table at a path, created if missing.
    fn within(&mut self, from: usize, path: &[Key], dotted: bool) -> Result<usize, ParseError> {
        let made = if dotted { Made::Dotted } else { Made::Implied };
        let mut table = from;
        for key in path {
            let Some(at) = self.at(table, key) else {
                table = self.add(table, Some(key), key.span, What::Table(made, Vec::new()))?;
                continue;
            };
            table = match &mut self.items[at].what {
                What::Tables(last, _) => *last,
                What::Table(Made::Named, _) if dotted => return Err(duplicate(key)),
                What::Table(there @ (Made::Implied | Made::Dotted), _) if dotted => {
                    *there = Made::Dotted;
                    at
                }
                What::Table(Made::Named | Made::Implied | Made::Dotted, _) => at,
                What::Table(Made::Inline, _) | What::List(_) | What::Value(_) => {
                    return Err(ParseError::new("a value cannot be added to by a longer key")
                        .with_unexpected(key.written));
                }
            };
        }
        Ok(table)
    }

    fn add(&mut self, parent: usize, key: Option<&Key>, span: Span, what: What) -> Result<usize, ParseError> {
        let depth = self.items[parent].depth + 1;
        if depth > YAML_DEPTH {
            let error = ParseError::new("the nesting is too deep");
            return Err(key.map_or(error.clone(), |key| error.with_unexpected(key.written)));
        }
        let item = self.items.len();
        if let Some(key) = key {
            self.places.insert((parent, Rc::clone(&key.text)), item);
        }
        self.items.push(Item {
            parent,
            depth,
            key: key.cloned(),
            span,
            what,
        });
        Ok(item)
    }

    /// All of it, in file order.
    pub(super) fn finish(mut self, whole: Span) -> Node {
        // In reverse, since nested values are complete before their containers.
        while self.items.len() > ROOT + 1 {
            let Some(item) = self.items.pop() else { break };
            let node = node(item.what, item.span);
            match self.items.get_mut(item.parent).map(|parent| &mut parent.what) {
                Some(What::List(nodes) | What::Tables(_, nodes)) => nodes.push(node),
                Some(What::Table(_, entries)) => entries.extend(item.key.map(|key| Entry {
                    key: Node::text(&*key.text, key.span),
                    value: node,
                })),
                Some(What::Value(_)) | None => {}
            }
        }
        let root = self.items.pop().map(|root| root.what);
        node(root.unwrap_or(What::Table(Made::Named, Vec::new())), whole)
    }
}

fn node(what: What, span: Span) -> Node {
    let kind = match what {
        What::Value(node) => return node,
        What::List(mut nodes) | What::Tables(_, mut nodes) => {
            nodes.reverse();
            Kind::Sequence(nodes)
        }
        What::Table(_, entries) => {
            Kind::Mapping(sorted(entries, |a, b| a.key.span.start.cmp(&b.key.span.start)))
        }
    };
    Node {
        kind,
        span,
        tag: None,
    }
}

fn duplicate(key: &Key) -> ParseError {
    ParseError::new("duplicate key").with_unexpected(key.written)
}
