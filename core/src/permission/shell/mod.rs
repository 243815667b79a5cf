//! A command line, taken apart as a shell would: every simple command that it may run, or why that cannot be told.
//!
//! Where shells differ, and where what runs depends on what only the shell knows, the line is refused. So this reads less
//! than a shell does, and nothing otherwise.

mod cursor;
mod expansion;
mod here;
mod list;
mod word;

pub(super) use list::split;

use alloc::string::String;
use alloc::vec::Vec;

/// A part of a command that the shell makes one or more arguments of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// As it is written.
    pub raw: String,
    /// What it is without its quotes; none where the shell puts something in its place.
    pub literal: Option<String>,
    /// Whether any of it is quoted.
    pub quoted: bool,
}

/// What a redirection does to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is written by a program whose job that is, and which a pattern names.
    Own,
}

/// A redirection from or to a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Redirection {
    /// What it does.
    pub access: Access,
    /// The file.
    pub target: Word,
}

/// A command without lists, pipes and groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Simple {
    /// `NAME=value` before it: the names, and the words.
    pub assignments: Vec<(String, Word)>,
    /// The program and its arguments.
    pub words: Vec<Word>,
    /// Its redirections.
    pub redirections: Vec<Redirection>,
    /// Variables that a loop sets.
    pub variables: Vec<String>,
}

/// Text as one word of a command line, in one way only.
pub(super) fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./^-".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into();
    }
    let mut out = String::from("'");
    out.push_str(&text.replace('\'', "'\\''"));
    out.push('\'');
    out
}

impl Word {
    /// In one way, however it is quoted.
    pub(super) fn canonical(&self) -> String {
        match &self.literal {
            Some(literal) => quote(literal),
            None => self.raw.clone(),
        }
    }

    /// Whether it is this, without quotes.
    pub(super) fn is_bare(&self, text: &str) -> bool {
        !self.quoted && self.raw == text
    }
}
