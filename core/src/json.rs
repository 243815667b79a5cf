//! Strict JSON for tool calls and permissions, without ambiguity.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::limits::JSON_DEPTH;
use crate::span::Span;

/// A value. Numbers are kept as text, since they are never computed with.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as written.
    Number(String),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// An object in order, without duplicate keys.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries()
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// The entries of an object.
    pub fn entries(&self) -> &[(String, Value)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }

    /// The text, if it is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads a value. Refuses duplicate keys, which other parsers may read differently.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at == text.len() {
        Ok(value)
    } else {
        Err(reader.wrong("the end"))
    }
}

/// A step into a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// To the value of a key.
    Key(&'a str),
    /// To an item of a list.
    Item(usize),
}

/// The place of a part of a text that [`parse`] accepts; none if it is not there.
pub(crate) fn place(text: &str, steps: &[Step<'_>]) -> Option<Span> {
    let mut reader = Reader { text, at: 0 };
    for step in steps {
        reader.enter(*step)?;
    }
    reader.blanks();
    let start = reader.at;
    reader.value(0).ok()?;
    Some(Span::new(start, reader.at))
}

/// Text as a JSON string.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

struct Reader<'text> {
    text: &'text str,
    at: usize,
}

impl<'text> Reader<'text> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(token.as_bytes());
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn wrong(&self, wanted: &str) -> String {
        format!("{wanted} was expected at byte {}", self.at)
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > JSON_DEPTH {
            return Err(format!("it is nested deeper than {JSON_DEPTH}"));
        }
        self.blanks();
        match self.peek() {
            Some(b'"') => self.string().map(Value::Text),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.list(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.take("true") => Ok(Value::Boolean(true)),
            _ if self.take("false") => Ok(Value::Boolean(false)),
            _ if self.take("null") => Ok(Value::Null),
            _ => Err(self.wrong("a value")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut entries: Vec<(String, Value)> = Vec::new();
        self.blanks();
        if self.take("}") {
            return Ok(Value::Object(entries));
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a key"));
            }
            let key = self.string()?;
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(format!("duplicate key {}", quote(&key)));
            }
            self.blanks();
            if !self.take(":") {
                return Err(self.wrong("a colon"));
            }
            entries.push((key, self.value(depth + 1)?));
            self.blanks();
            if self.take("}") {
                return Ok(Value::Object(entries));
            }
            if !self.take(",") {
                return Err(self.wrong("a comma or a closing brace"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.take("]") {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.take("]") {
                return Ok(Value::List(items));
            }
            if !self.take(",") {
                return Err(self.wrong("a comma or a closing bracket"));
            }
        }
    }

    /// Goes from an object or a list to one of its values.
    fn enter(&mut self, step: Step<'_>) -> Option<()> {
        self.blanks();
        let opening = match step {
            Step::Key(_) => "{",
            Step::Item(_) => "[",
        };
        self.take(opening).then_some(())?;
        for number in 0.. {
            self.blanks();
            let is_it = match step {
                Step::Item(wanted) => wanted == number,
                Step::Key(_) if self.peek() != Some(b'"') => return None,
                Step::Key(wanted) => {
                    let key = self.string().ok()?;
                    self.blanks();
                    self.take(":").then_some(())?;
                    key == wanted
                }
            };
            if is_it {
                break;
            }
            self.value(0).ok()?;
            self.blanks();
            self.take(",").then_some(())?;
        }
        Some(())
    }

    fn number(&mut self) -> Result<Value, String> {
        let start = self.at;
        self.take("-");
        if !self.take("0") && self.digits() == 0 {
            return Err(self.wrong("a digit"));
        }
        if self.take(".") && self.digits() == 0 {
            return Err(self.wrong("a digit"));
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            if self.digits() == 0 {
                return Err(self.wrong("a digit"));
            }
        }
        Ok(Value::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = rest
                .bytes()
                .position(|byte| byte == b'"' || byte == b'\\' || byte < 0x20)
                .ok_or_else(|| self.wrong("a closing quote"))?;
            out.push_str(&rest[..plain]);
            self.at += plain;
            if self.take("\"") {
                return Ok(out);
            }
            if !self.take("\\") {
                return Err(self.wrong("an escape instead of a control character"));
            }
            out.push(self.escape()?);
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let c = self.peek();
        self.at += usize::from(c.is_some_and(|byte| byte.is_ascii()));
        Ok(match c {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.wrong("an escape")),
        })
    }

    /// Two halves of a surrogate pair make one character; one half alone is an error.
    fn unicode(&mut self) -> Result<char, String> {
        let first = self.hex()?;
        let code = match first {
            0xd800..=0xdbff if self.take("\\u") => {
                let second = self.hex()?;
                let low = second.wrapping_sub(0xdc00);
                if low > 0x3ff {
                    return Err(self.wrong("the second half of a pair"));
                }
                0x10000 + ((first - 0xd800) << 10) + low
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| self.wrong("a character"))
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let code = digits.and_then(|digits| {
            digits.iter().try_fold(0, |code, digit| {
                Some(code << 4 | char::from(*digit).to_digit(16)?)
            })
        });
        self.at += if code.is_some() { 4 } else { 0 };
        code.ok_or_else(|| self.wrong("four hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_is_strict() {
        let value =
            parse(r#" {"a": [1, -0.5e+3, true, null], "b\n": "\ud83d\ude00\/"} "#).expect("it is JSON");
        assert_eq!(value.get("b\n").and_then(Value::text), Some("😀/"));
        for wrong in [
            "",
            "{",
            "[1,]",
            "{\"a\":1,\"a\":2}",
            "01",
            "1.",
            "\"\u{1}\"",
            "\"\\x\"",
            "\"\\ud83d\"",
            "nul",
            "1 2",
            "{'a':1}",
            "\"\\u12",
            "\"\\é\"",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
        let text = "\u{1}\"\\é\n";
        assert_eq!(parse(&quote(text)), Ok(Value::Text(text.into())));
    }

    #[test]
    fn parts_have_places() {
        let text = " {\"a\": [1, {\"b\\n\":\t\"é\"}, []], \"c\": null}";
        for (steps, expected) in [
            (&[][..], Some(text.trim())),
            (&[Step::Key("a")], Some("[1, {\"b\\n\":\t\"é\"}, []]")),
            (&[Step::Key("a"), Step::Item(0)], Some("1")),
            (&[Step::Key("a"), Step::Item(1), Step::Key("b\n")], Some("\"é\"")),
            (&[Step::Key("a"), Step::Item(2), Step::Item(0)], None),
            (&[Step::Key("a"), Step::Item(3)], None),
            (&[Step::Key("a"), Step::Key("c")], None),
            (&[Step::Key("c")], Some("null")),
            (&[Step::Key("d")], None),
            (&[Step::Item(0)], None),
        ] {
            let found = place(text, steps).map(|span| span.of(text));
            assert_eq!(found, expected, "{steps:?}");
        }
        assert_eq!(place("", &[]), None);
    }
}
