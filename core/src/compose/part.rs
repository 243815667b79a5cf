//! One source, or one of its parents: its own fields, its prompt, and what its `callsheet` key asks for.

use alloc::borrow::ToOwned;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::header::Header;
use crate::convert::has_windows_lines;
use crate::diagnostic::{Diagnostic, Place, Placer};
use crate::dialect::{Canonical, Dialect};
use crate::limits::FILE_BYTES;
use crate::rules;
use crate::source::Source;
use crate::span::Span;
use crate::write;
use crate::yaml::Node;

/// The key that only sources have.
pub(super) const KEY: &str = "callsheet";

/// A field, and where it comes from.
#[derive(Debug)]
pub(super) struct Field {
    /// As spelled.
    pub(super) key: String,
    pub(super) canonical: Option<Canonical>,
    pub(super) value: Node,
    /// Its lines.
    pub(super) text: String,
    /// Where its value is stated: the list, and what is added to it and removed from it.
    pub(super) places: Vec<Place>,
}

impl Field {
    /// Whether it has the meaning of the other.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        self.key == other.key || self.canonical.is_some() && self.canonical == other.canonical
    }
}

/// A part of a prompt.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) text: String,
    pub(super) place: Place,
}

/// One file as read.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: String,
    pub(super) fields: Vec<Rc<Field>>,
    pub(super) header: Header,
    pub(super) prompt: Rc<Prompt>,
    /// Whether its lines end in CRLF.
    pub(super) is_windows: bool,
}

impl Part {
    /// None if it cannot be taken apart, or if its `callsheet` key is invalid.
    pub(super) fn read(
        path: &str,
        bytes: &[u8],
        dialect: &Dialect,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let source = Source::new(bytes);
        let refuse = |reason: &str| {
            let message = alloc::format!("source cannot be compiled: {reason}");
            Diagnostic::new(&rules::unbuildable_source::RULE, Place::beginning(path), message)
        };
        let taken = match &source {
            _ if bytes.len() > FILE_BYTES => Err("it is too large".to_owned()),
            source if !source.invalid.is_empty() => Err("it is not valid UTF-8".to_owned()),
            source => write::pieces(source),
        };
        let (pieces, body) = match taken {
            Ok(taken) => taken,
            Err(reason) => {
                found.push(refuse(&reason));
                return None;
            }
        };
        let placer = Placer::new(path, &source);
        let (mut fields, mut header): (Vec<Rc<Field>>, _) = (Vec::new(), Header::default());
        let before = found.len();
        for piece in pieces {
            if piece.key == KEY {
                header = Header::read(&piece.value, &placer, found);
                continue;
            }
            let span = Span {
                start: piece.span.start,
                end: piece.value.span.end.max(piece.span.end),
            };
            let canonical = dialect.key(&piece.key).map(|key| key.field);
            let places = Vec::from([placer.place(span)]);
            fields.push(Rc::new(Field {
                key: piece.key,
                canonical,
                value: piece.value,
                text: piece.text,
                places,
            }));
        }
        let text = body.of(&source.text);
        let trimmed = text.trim_ascii();
        let start = body.start.index() + (text.len() - text.trim_ascii_start().len());
        let shown = Span::new(start, start + trimmed.len());
        let shown = if trimmed.is_empty() {
            Span::at(body.start.index())
        } else {
            shown
        };
        (found.len() == before).then(|| Self {
            path: path.to_owned(),
            fields,
            header,
            prompt: Rc::new(Prompt {
                text: text.replace("\r\n", "\n"),
                place: placer.place(shown),
            }),
            is_windows: has_windows_lines(bytes),
        })
    }
}
