//! Parses a command line like a shell: every simple command that it may run, or why that is unknown.
//!
//! Where shells differ, and where the commands depend on the shell's state, the line is refused. So this accepts less than a shell does,
//! and reads nothing differently.

mod cursor;
mod expansion;
mod here;
mod list;
mod word;

pub(super) use list::split;

use alloc::string::String;
use alloc::vec::Vec;

/// A part of a command that the shell expands to one or more arguments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// As written.
    pub raw: String,
    /// The text without its quotes; none if the shell expands it.
    pub literal: Option<String>,
    /// Whether any part is quoted.
    pub quoted: bool,
}

/// The access of a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Written by a program whose job it is, and which a pattern names.
    Own,
    /// The same for a program that changes a name, not what a link of this name leads to.
    Name,
}

/// A redirection from or to a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Redirection {
    /// The access.
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

/// Text as one word of a command line, always quoted the same way.
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
    /// Normalized quoting.
    pub(super) fn canonical(&self) -> String {
        match &self.literal {
            // As words of their own they need no quotes.
            Some(literal) if !matches!(&**literal, "[" | "]") => quote(literal),
            _ => self.raw.clone(),
        }
    }

    /// Whether it is this text, without quotes.
    pub(super) fn is_bare(&self, text: &str) -> bool {
        !self.quoted && self.raw == text
    }
}
