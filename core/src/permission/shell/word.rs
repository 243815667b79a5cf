//! Words: quotes and escapes.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::Word;
use super::list::Parser;

/// A word being read.
#[derive(Default)]
pub(super) struct Draft {
    literal: String,
    /// Whether the shell expands a part of it.
    changed: bool,
    quoted: bool,
}

impl Parser<'_> {
    /// Reads a word. The next character is one of a word.
    pub(super) fn word(&mut self) -> Result<Word, String> {
        let start = self.cursor.at;
        let mut draft = Draft::default();
        if self.cursor.peek() == Some('~') {
            draft.changed = true;
        }
        while let Some(c) = self.cursor.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' => break,
                '<' | '>' if self.cursor.second() != Some('(') => break,
                '<' | '>' => {
                    self.substituted_file(start)?;
                    draft.changed = true;
                }
                '\\' => self.escape(&mut draft)?,
                '\'' => self.single(&mut draft)?,
                '"' => {
                    self.cursor.next();
                    self.double(&mut draft)?;
                }
                '$' | '`' => draft.changed |= self.expansion(&mut draft.literal, true)?,
                '*' | '?' | '[' | '{' => {
                    draft.changed = true;
                    draft.literal.extend(self.cursor.next());
                }
                // After these a tilde stands for a home directory in some words.
                '=' | ':' => {
                    draft.literal.extend(self.cursor.next());
                    draft.changed |= self.cursor.peek() == Some('~');
                }
                _ => draft.literal.extend(self.cursor.next()),
            }
        }
        let raw = self.cursor.since(start);
        // The command, not the beginning of a range of letters.
        let is_test = raw == "[";
        Ok(Word {
            literal: (!draft.changed || is_test).then_some(draft.literal),
            raw,
            quoted: draft.quoted,
        })
    }

    /// `<(…)` and `>(…)`.
    fn substituted_file(&mut self, start: usize) -> Result<(), String> {
        if self.cursor.at != start {
            return Err("a substitution is inside a word".to_owned());
        }
        self.cursor.next();
        self.cursor.next();
        self.nested()
    }

    fn escape(&mut self, draft: &mut Draft) -> Result<(), String> {
        self.cursor.next();
        match self.cursor.next() {
            None => return Err("it ends in a backslash".to_owned()),
            // The line continues.
            Some('\n') => return Ok(()),
            Some(c) => draft.literal.push(c),
        }
        draft.quoted = true;
        Ok(())
    }

    fn single(&mut self, draft: &mut Draft) -> Result<(), String> {
        self.cursor.next();
        draft.quoted = true;
        draft.literal.push_str(self.cursor.until(&['\'']));
        match self.cursor.next() {
            Some(_) => Ok(()),
            None => Err("a single quote is not closed".to_owned()),
        }
    }

    /// The text between double quotes, the closing one included.
    pub(super) fn double(&mut self, draft: &mut Draft) -> Result<(), String> {
        draft.quoted = true;
        loop {
            draft.literal.push_str(self.cursor.until(&['"', '\\', '$', '`']));
            match self.cursor.peek() {
                None => return Err("a double quote is not closed".to_owned()),
                Some('"') => {
                    self.cursor.next();
                    return Ok(());
                }
                Some('\\') => {
                    self.cursor.next();
                    match self.cursor.peek() {
                        Some('\n') => {}
                        Some(c @ ('"' | '\\' | '$' | '`')) => draft.literal.push(c),
                        _ => {
                            draft.literal.push('\\');
                            continue;
                        }
                    }
                    self.cursor.next();
                }
                Some(_) => draft.changed |= self.expansion(&mut draft.literal, false)?,
            }
        }
    }
}
