//! Lists, pipes, groups and simple commands.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::cursor::Cursor;
use super::{Access, Redirection, Simple, Word};
use crate::limits::{COMMAND_BYTES, COMMAND_DEPTH, COMMANDS};

/// Keywords that a command follows.
const SHAPING: &[&str] = &[
    "!", "{", "}", "if", "then", "elif", "else", "fi", "while", "until", "do", "done",
];

/// Keywords with a grammar of their own.
const REFUSED: &[&str] = &["case", "esac", "select", "function", "coproc", "[[", "in"];

/// Every simple command of a line, including those in substitutions, or why it cannot be parsed.
pub(in crate::permission) fn split(line: &str) -> Result<Vec<Simple>, String> {
    Parser::new(line, 0)?.whole()
}

pub(super) struct Parser<'text> {
    pub(super) cursor: Cursor<'text>,
    pub(super) depth: usize,
    found: Vec<Simple>,
    /// Here-documents whose text starts on the next line.
    pub(super) expected: Vec<Document>,
}

/// An announced here-document.
pub(super) struct Document {
    pub(super) delimiter: String,
    /// Whether leading tabs of its lines are removed.
    pub(super) tabs: bool,
    /// Whether nothing in it is expanded.
    pub(super) verbatim: bool,
    /// Where it was announced.
    pub(super) from: usize,
}

/// What ends a list.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum End {
    Text,
    Parenthesis,
}

impl<'text> Parser<'text> {
    /// Refuses lines that are too long, too deep, or misleading.
    pub(super) fn new(text: &'text str, depth: usize) -> Result<Self, String> {
        if text.len() > COMMAND_BYTES {
            return Err(format!("it is longer than {COMMAND_BYTES} bytes"));
        }
        let odd =
            |c: &char| c.is_control() && !matches!(c, '\n' | '\t') || c.is_whitespace() && !c.is_ascii();
        if let Some(c) = text.chars().find(odd) {
            return Err(format!("it has the character U+{:04X}", u32::from(c)));
        }
        let continued = |(at, _): (usize, &str)| !text[..at].ends_with([' ', '\t']);
        if text.match_indices("\\\n").any(continued) {
            return Err("a line continues inside a word".to_owned());
        }
        Ok(Self {
            cursor: Cursor { text, at: 0 },
            depth,
            found: Vec::new(),
            expected: Vec::new(),
        })
    }

    pub(super) fn whole(mut self) -> Result<Vec<Simple>, String> {
        self.list(End::Text)?;
        Ok(self.found)
    }

    /// The contents of this, one level deeper.
    pub(super) fn deeper(&self) -> Result<usize, String> {
        if self.depth < COMMAND_DEPTH {
            Ok(self.depth + 1)
        } else {
            Err(format!("it is nested deeper than {COMMAND_DEPTH}"))
        }
    }

    /// Adds the commands of another parser.
    pub(super) fn adopt(&mut self, found: Vec<Simple>) -> Result<(), String> {
        self.found.extend(found);
        if self.found.len() <= COMMANDS {
            Ok(())
        } else {
            Err(format!("it has more than {COMMANDS} commands"))
        }
    }

    /// Reads commands up to the end, which is read too.
    pub(super) fn list(&mut self, end: End) -> Result<(), String> {
        loop {
            self.cursor.blanks();
            match self.cursor.peek() {
                None if end == End::Text => return self.ended(),
                None => return Err("a parenthesis is not closed".to_owned()),
                Some(')') if end == End::Parenthesis => {
                    self.cursor.next();
                    return self.ended();
                }
                Some(')') => return Err("a closing parenthesis is unmatched".to_owned()),
                Some('\n') => {
                    self.cursor.next();
                    self.documents()?;
                }
                Some('#') => drop(self.cursor.until(&['\n'])),
                Some('(') => self.subshell()?,
                Some(';') => self.semicolon()?,
                Some('&') if self.redirects_both() => self.simple()?,
                Some('&' | '|') => drop(self.cursor.next()),
                Some(_) => self.simple()?,
            }
        }
    }

    /// A pending here-document would start elsewhere in other shells.
    fn ended(&self) -> Result<(), String> {
        if self.expected.is_empty() {
            Ok(())
        } else {
            Err("a here-document has no text".to_owned())
        }
    }

    fn semicolon(&mut self) -> Result<(), String> {
        self.cursor.next();
        match self.cursor.peek() {
            Some(';' | '&') => Err("`;;` belongs to `case`, which is not supported".to_owned()),
            _ => Ok(()),
        }
    }

    fn subshell(&mut self) -> Result<(), String> {
        if self.cursor.take("((") {
            return Err("`((` may be arithmetic, which may run commands".to_owned());
        }
        self.cursor.next();
        self.nested()?;
        // Only redirections or the next command may follow; no shell allows anything else.
        self.cursor.blanks();
        match self.cursor.peek() {
            None | Some('\n' | ';' | '&' | '|' | ')' | '<' | '>') => Ok(()),
            Some(c) => Err(format!("`{c}` follows a closing parenthesis")),
        }
    }

    /// A list up to its closing parenthesis.
    pub(super) fn nested(&mut self) -> Result<(), String> {
        let outer = self.depth;
        self.depth = self.deeper()?;
        let waiting = core::mem::take(&mut self.expected);
        let read = self.list(End::Parenthesis);
        self.expected = waiting;
        self.depth = outer;
        read
    }

    fn redirects_both(&self) -> bool {
        self.cursor.rest().starts_with("&>")
    }

    fn simple(&mut self) -> Result<(), String> {
        let mut simple = Simple::default();
        loop {
            self.cursor.blanks();
            match self.cursor.peek() {
                None | Some('\n' | ';' | '|' | ')' | '#') => break,
                Some('&') if !self.redirects_both() => break,
                Some('(') => return Err("`(` after a word: a function or a list is defined".to_owned()),
                Some('&') => self.redirection(&mut simple)?,
                Some('<' | '>') if self.cursor.second() != Some('(') => self.redirection(&mut simple)?,
                Some(_) => {
                    let word = self.word()?;
                    if !self.is_descriptor(&word) && self.place(word, &mut simple)? {
                        return Ok(());
                    }
                }
            }
        }
        self.adopt([simple].into())
    }

    /// Digits right before a redirection are a file descriptor.
    fn is_descriptor(&self, word: &Word) -> bool {
        let digits = word.raw.chars().all(|c| c.is_ascii_digit());
        digits && matches!(self.cursor.peek(), Some('<' | '>')) && self.cursor.second() != Some('(')
    }

    /// Adds a word. True after a keyword that another command follows.
    fn place(&mut self, word: Word, simple: &mut Simple) -> Result<bool, String> {
        if !simple.words.is_empty() {
            simple.words.push(word);
            return Ok(false);
        }
        if let Some(name) = assigned(&word) {
            simple.assignments.push((name, word));
            return Ok(false);
        }
        let first = simple.assignments.is_empty() && simple.redirections.is_empty();
        if REFUSED.iter().any(|refused| word.is_bare(refused)) {
            return Err(format!("`{}` is not supported", word.raw));
        }
        if first && word.is_bare("for") {
            self.loop_head()?;
            return Ok(true);
        }
        if first && SHAPING.iter().any(|shaping| word.is_bare(shaping)) {
            return Ok(true);
        }
        simple.words.push(word);
        Ok(false)
    }

    /// `for NAME in WORDS`: the words are expanded, the name is set.
    fn loop_head(&mut self) -> Result<(), String> {
        self.cursor.blanks();
        let start = self.cursor.at;
        while matches!(self.cursor.peek(), Some(c) if c == '_' || c.is_ascii_alphanumeric()) {
            self.cursor.next();
        }
        let name = self.cursor.since(start);
        if name.is_empty() {
            return Err("`for` without the name of a variable is not supported".to_owned());
        }
        self.cursor.blanks();
        // Without `in`, the next word is `do`, followed by a command.
        let listed = matches!(self.cursor.peek(), None | Some('\n' | ';')) || self.word()?.is_bare("in");
        if !listed {
            return Err("`for` without `in` is not supported".to_owned());
        }
        loop {
            self.cursor.blanks();
            match self.cursor.peek() {
                None | Some('\n' | ';') => break,
                Some('#' | '(' | ')' | '&' | '|' | '<' | '>') => {
                    return Err("the words of `for` are not supported".to_owned());
                }
                Some(_) => drop(self.word()?),
            }
        }
        let variables = [name].into();
        self.adopt(
            [Simple {
                variables,
                ..Simple::default()
            }]
            .into(),
        )
    }

    fn redirection(&mut self, simple: &mut Simple) -> Result<(), String> {
        const OPERATORS: &[(&str, Kind)] = &[
            ("&>>", Kind::File(Access::Write)),
            ("&>", Kind::File(Access::Write)),
            ("<<<", Kind::Text),
            ("<<-", Kind::Here { tabs: true }),
            ("<<", Kind::Here { tabs: false }),
            ("<&", Kind::Descriptor),
            ("<>", Kind::File(Access::Write)),
            ("<", Kind::File(Access::Read)),
            (">>", Kind::File(Access::Write)),
            (">|", Kind::File(Access::Write)),
            (">&", Kind::Descriptor),
            (">", Kind::File(Access::Write)),
        ];
        let operator = OPERATORS.iter().find(|(operator, _)| self.cursor.take(operator));
        let kind = operator.map_or(Kind::File(Access::Write), |(_, kind)| *kind);
        self.cursor.blanks();
        if matches!(
            self.cursor.peek(),
            None | Some('\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' | '#')
        ) {
            return Err("a redirection has no target".to_owned());
        }
        let target = self.word()?;
        let access = match kind {
            Kind::Here { tabs } => return self.expect(target, tabs),
            Kind::Text => return Ok(()),
            Kind::Descriptor if is_descriptor_or_close(&target.raw) => return Ok(()),
            Kind::Descriptor => Access::Write,
            Kind::File(access) => access,
        };
        simple.redirections.push(Redirection { access, target });
        Ok(())
    }
}

/// The meaning of a redirection's word.
#[derive(Clone, Copy)]
enum Kind {
    File(Access),
    Descriptor,
    Text,
    Here { tabs: bool },
}

fn is_descriptor_or_close(target: &str) -> bool {
    let digits = target.strip_suffix('-').unwrap_or(target);
    !target.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// The variable that a word assigns.
fn assigned(word: &Word) -> Option<String> {
    let (name, _) = word.raw.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    (first && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())).then(|| name.to_owned())
}
