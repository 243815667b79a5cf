//! A position in a command line.

use alloc::borrow::ToOwned;
use alloc::string::String;

/// A text and the current offset.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'text> {
    pub(super) text: &'text str,
    pub(super) at: usize,
}

impl<'text> Cursor<'text> {
    pub(super) fn rest(&self) -> &'text str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character after the next one.
    pub(super) fn second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// Reads up to one of these characters, or to the end.
    pub(super) fn until(&mut self, ends: &[char]) -> &'text str {
        let rest = self.rest();
        let length = rest.find(ends).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Spaces, tabs and escaped line ends.
    pub(super) fn blanks(&mut self) {
        while self.take(" ") || self.take("\t") || self.take("\\\n") {}
    }

    /// The text since `start`.
    pub(super) fn since(&self, start: usize) -> String {
        self.text.get(start..self.at).unwrap_or_default().to_owned()
    }
}
