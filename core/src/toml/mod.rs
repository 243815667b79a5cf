//! TOML with spans, as the same tree as YAML. The only folder that uses the TOML crates.

#[cfg(test)]
mod tests;
mod tree;

use alloc::borrow::{Cow, ToOwned};
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use toml_datetime::Datetime;
use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{Expected, ParseError, Source};

use crate::limits::YAML_DEPTH;
use crate::span::{Span, Spanned};
use crate::yaml::{MARK, Node, Style, SyntaxError};

use tree::{Key, Made, NOWHERE, ROOT, Tree, What};

/// Reads the text from `start` on. If it is not valid TOML, returns what could be read, and the first error.
pub(crate) fn read(text: &str, start: usize) -> (Node, Option<SyntaxError>) {
    let (root, _, error) = parse(text, start);
    (root, error)
}

/// The same with the comments for Callsheet, without their `#`.
pub(crate) fn parse(text: &str, start: usize) -> (Node, Vec<Spanned<String>>, Option<SyntaxError>) {
    let whole = Span::new(start, text.len());
    let source = Source::new(&text[start..]);
    let mut reader = Reader {
        source,
        start,
        tree: Tree::new(whole),
        path: Vec::new(),
        joined: false,
        header: None,
        table: ROOT,
        open: Vec::new(),
        comments: Vec::new(),
        mistake: None,
    };
    let mut mistake: Option<ParseError> = None;
    let mut take = |event: Event| reader.take(event);
    let mut checked = ValidateWhitespace::new(&mut take, source);
    let mut bounded = RecursionGuard::new(&mut checked, YAML_DEPTH as u32);
    parse_document(&source.lex().into_vec(), &mut bounded, &mut mistake);
    // A syntax error causes errors in the content.
    let mistake = mistake.or(reader.mistake);
    let error = mistake.map(|mistake| {
        let at = mistake
            .unexpected()
            .map_or((0, 0), |span| (span.start(), span.end()));
        SyntaxError {
            message: message(&mistake),
            span: placed(text, start, at.0, at.1),
            may_be_quoted: false,
            is_indentation: false,
        }
    });
    (reader.tree.finish(whole), reader.comments, error)
}

/// A place in the whole text, on character boundaries and never past the end.
fn placed(text: &str, start: usize, from: usize, to: usize) -> Span {
    let from = text.floor_char_boundary((start + from).min(text.len()));
    let to = text.ceil_char_boundary((start + to).min(text.len()));
    Span::new(from, to)
}

fn message(mistake: &ParseError) -> String {
    let mut message = mistake.description().to_owned();
    let expected = mistake.expected().unwrap_or_default().iter();
    let words = expected.filter_map(|expected| match expected {
        Expected::Literal("\n") => Some("newline".to_owned()),
        Expected::Literal(text) => Some(["`", text, "`"].concat()),
        Expected::Description(text) => Some((*text).to_owned()),
        _ => None,
    });
    let words: Vec<String> = words.collect();
    if !words.is_empty() {
        message.push_str(", expected ");
        message.push_str(&words.join(", "));
    }
    message
}

/// The result so far, and the current place.
struct Reader<'a> {
    source: Source<'a>,
    start: usize,
    tree: Tree,
    /// The key before a value, or that of a header.
    path: Vec<Key>,
    /// Whether the last of the path ended with a dot.
    joined: bool,
    /// Where the current header started, and whether it is one of an array of tables.
    header: Option<(usize, bool)>,
    /// The table of the last header.
    table: usize,
    /// The unclosed lists and inline tables.
    open: Vec<usize>,
    comments: Vec<Spanned<String>>,
    /// The first error in the content.
    mistake: Option<ParseError>,
}

impl Reader<'_> {
    fn take(&mut self, event: Event) {
        match event.kind() {
            EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                self.open.clear();
                self.path.clear();
                let of_many = event.kind() == EventKind::ArrayTableOpen;
                self.header = Some((event.span().start(), of_many));
            }
            EventKind::StdTableClose | EventKind::ArrayTableClose => self.close_header(event.span().end()),
            EventKind::SimpleKey => self.key(event),
            EventKind::KeySep => self.joined = true,
            EventKind::Scalar => {
                let node = self.scalar(event);
                self.place(event, What::Value(node));
            }
            EventKind::ArrayOpen => {
                let list = self.place(event, What::List(Vec::new()));
                self.open.push(list);
            }
            EventKind::InlineTableOpen => {
                let table = self.place(event, What::Table(Made::Inline, Vec::new()));
                self.open.push(table);
            }
            EventKind::ArrayClose | EventKind::InlineTableClose => {
                let end = self.moved(event.span());
                if let Some(item) = self.open.pop() {
                    self.tree.close(item, end);
                }
            }
            EventKind::Comment => self.comment(event),
            EventKind::KeyValSep
            | EventKind::ValueSep
            | EventKind::Whitespace
            | EventKind::Newline
            | EventKind::Error => {}
        }
    }

    fn comment(&mut self, event: Event) {
        let text = self.source.get(event).map_or("", |raw| raw.as_str());
        if let Some(text) = text
            .strip_prefix('#')
            .filter(|text| text.trim_start().starts_with(MARK))
        {
            self.comments.push(Spanned {
                value: text.to_owned(),
                span: self.moved(event.span()),
            });
        }
    }

    fn close_header(&mut self, end: usize) {
        let Some((from, of_many)) = self.header.take() else {
            return;
        };
        let path = core::mem::take(&mut self.path);
        let span = Span::new(self.start + from, self.start + end);
        self.table = match path.split_last() {
            Some((key, before)) => {
                let table = self.tree.header(before, key, span, of_many);
                self.noted(table)
            }
            None => NOWHERE,
        };
    }

    fn key(&mut self, event: Event) {
        if !self.joined {
            self.path.clear();
        }
        self.joined = false;
        let mut text = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut text, &mut self.mistake);
        }
        self.path.push(Key {
            text: Rc::from(&*text),
            written: event.span(),
            span: self.moved(event.span()),
        });
    }

    /// Adds a value at the last key, or at the end of the open list.
    fn place(&mut self, event: Event, what: What) -> usize {
        let span = self.moved(event.span());
        let into = self.open.last().copied().unwrap_or(self.table);
        let path = core::mem::take(&mut self.path);
        let placed = match path.split_last() {
            Some((key, before)) => self.tree.put(into, before, key, span, what),
            None => self.tree.push(into, span, what),
        };
        self.noted(placed)
    }

    fn noted(&mut self, placed: Result<usize, ParseError>) -> usize {
        placed.unwrap_or_else(|mistake| {
            self.mistake.get_or_insert(mistake);
            NOWHERE
        })
    }

    fn scalar(&mut self, event: Event) -> Node {
        let span = self.moved(event.span());
        let plain = |text: String| Node::scalar(text, Style::Plain, span);
        let mut text = Cow::Borrowed("");
        let kind = match self.source.get(event) {
            Some(raw) => raw.decode_scalar(&mut text, &mut self.mistake),
            None => ScalarKind::String,
        };
        match kind {
            ScalarKind::String => Node::text(text, span),
            ScalarKind::Boolean(value) => plain(value.to_string()),
            ScalarKind::Float => plain(text.into_owned()),
            ScalarKind::Integer(_) if text.is_empty() => {
                let mistake = ParseError::new("invalid integer").with_unexpected(event.span());
                self.mistake.get_or_insert(mistake);
                plain(text.into_owned())
            }
            ScalarKind::Integer(radix) => plain(integer(&text, radix.value())),
            ScalarKind::DateTime => Node::text(self.time(event, &text), span),
        }
    }

    fn time(&mut self, event: Event, text: &str) -> String {
        match text.parse::<Datetime>() {
            Ok(time) => time.to_string(),
            Err(error) => {
                let mistake = ParseError::new(error.to_string()).with_unexpected(event.span());
                self.mistake.get_or_insert(mistake);
                text.to_owned()
            }
        }
    }

    fn moved(&self, span: toml_parser::Span) -> Span {
        Span::new(self.start + span.start(), self.start + span.end())
    }
}

/// In decimal, the usual form.
fn integer(digits: &str, radix: u32) -> String {
    match i64::from_str_radix(digits, radix) {
        Ok(number) => number.to_string(),
        Err(_) => digits.to_owned(),
    }
}
