//! Expansions, which start with `$` or a backtick.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::list::Parser;
use super::word::Draft;

impl Parser<'_> {
    /// Reads an expansion. False if it is only a dollar sign, which is added to the text.
    pub(super) fn expansion(&mut self, literal: &mut String, bare: bool) -> Result<bool, String> {
        if self.cursor.take("`") {
            return self.backticks(bare).map(|()| true);
        }
        self.cursor.next();
        match self.cursor.peek() {
            Some('(') => self.parentheses()?,
            Some('{') => self.braces()?,
            Some('\'') if bare => self.escaped_quote()?,
            Some('"') if bare => {
                self.cursor.next();
                self.double(&mut Draft::default())?;
            }
            Some(c) if is_name(c) => {
                let digit = c.is_ascii_digit();
                self.cursor.next();
                while !digit && self.cursor.peek().is_some_and(is_name) {
                    self.cursor.next();
                }
            }
            Some('@' | '*' | '#' | '?' | '$' | '!' | '-') => drop(self.cursor.next()),
            // Only in this position other shells start arithmetic.
            Some('[') => return Err("`$[` is arithmetic, which may run commands".to_owned()),
            _ => {
                literal.push('$');
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `$(…)`, and `$((…))` with numbers only: a variable's value may run commands there.
    fn parentheses(&mut self) -> Result<(), String> {
        self.cursor.next();
        if self.cursor.peek() != Some('(') {
            return self.nested();
        }
        self.cursor.next();
        while matches!(self.cursor.peek(), Some(c) if c.is_ascii_digit() || " +-*/%<>=!&|^~?:".contains(c)) {
            self.cursor.next();
        }
        if self.cursor.take("))") {
            Ok(())
        } else {
            Err("arithmetic with more than numbers may run commands".to_owned())
        }
    }

    /// `${NAME}`, `${#NAME}`, and `${NAME:-text}` and similar forms with plain text.
    fn braces(&mut self) -> Result<(), String> {
        self.cursor.next();
        self.cursor.take("#");
        let start = self.cursor.at;
        while self.cursor.peek().is_some_and(is_name) {
            self.cursor.next();
        }
        let name = self.cursor.at > start;
        let default = [":-", "-", ":+", "+"]
            .iter()
            .any(|operator| self.cursor.take(operator));
        while default && matches!(self.cursor.peek(), Some(c) if is_name(c) || "./-".contains(c)) {
            self.cursor.next();
        }
        if name && self.cursor.take("}") {
            Ok(())
        } else {
            Err("`${…}` may contain only a name, alone or with a plain default".to_owned())
        }
    }

    /// `$'…'`. An escaped quote in it ends it in some shells only.
    fn escaped_quote(&mut self) -> Result<(), String> {
        self.cursor.next();
        let text = self.cursor.until(&['\'']);
        match self.cursor.next() {
            Some(_) if !text.ends_with('\\') => Ok(()),
            _ => Err("`$'…'` with an escaped quote differs between shells".to_owned()),
        }
    }

    /// Between backticks, a backslash escapes other characters than elsewhere.
    fn backticks(&mut self, bare: bool) -> Result<(), String> {
        let inner = self.cursor.until(&['`', '\\']);
        match self.cursor.next() {
            Some('`') => {}
            None => return Err("a backtick is not closed".to_owned()),
            // Double quotes and nesting differ between shells here.
            Some(_) => return Err("a backslash is between backticks".to_owned()),
        }
        if !bare && inner.contains('"') {
            return Err("double quotes are inside quoted backticks".to_owned());
        }
        let found = Parser::new(inner, self.deeper()?)?.whole()?;
        self.adopt(found)
    }
}

fn is_name(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}
