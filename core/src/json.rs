//! JSON: strict for tool calls and permissions, without ambiguity; with places for settings.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use callsheet_schema::Json;

use crate::limits::JSON_DEPTH;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::{Entry, Kind, Node, Style};

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

/// Why a text is not JSON.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// What was expected.
    pub(crate) message: String,
    /// The byte.
    pub(crate) at: usize,
}

/// Reads a value. Refuses duplicate keys, which other parsers may read differently.
pub fn parse(text: &str) -> Result<Value, String> {
    let tree = tree(text, Json::Strict).map_err(|wrong| format!("{} at byte {}", wrong.message, wrong.at))?;
    value(tree)
}

/// Reads a value with its places. Of duplicate keys the last one counts, as in JavaScript.
pub(crate) fn tree(text: &str, json: Json) -> Result<Node, Wrong> {
    let mut reader = Reader { text, at: 0, json };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at == text.len() {
        Ok(value)
    } else {
        Err(reader.wrong("the end"))
    }
}

/// The same of a whole file, which may begin with a byte order mark. Places are those in the file, also that of an error.
pub(crate) fn file(source: &Source<'_>, json: Json) -> Result<Node, Wrong> {
    let start = source.byte_order_marks().end.index();
    let mut root = tree(&source.text[start..], json).map_err(|wrong| Wrong {
        at: start + wrong.at,
        ..wrong
    })?;
    root.map_spans(&|span| Span::new(start + span.start.index(), start + span.end.index()));
    Ok(root)
}

fn value(node: Node) -> Result<Value, String> {
    Ok(match node.kind {
        Kind::Scalar { text, style } if style != Style::Plain => Value::Text(text),
        Kind::Scalar { text, .. } => match &*text {
            "null" => Value::Null,
            "true" | "false" => Value::Boolean(text == "true"),
            _ => Value::Number(text),
        },
        Kind::Sequence(items) => Value::List(items.into_iter().map(value).collect::<Result<_, _>>()?),
        Kind::Mapping(entries) => {
            let mut object: Vec<(String, Value)> = Vec::with_capacity(entries.len());
            for entry in entries {
                let key = entry.key.as_text().unwrap_or_default();
                if object.iter().any(|(known, _)| known == key) {
                    return Err(format!("duplicate key {}", quote(key)));
                }
                object.push((key.to_owned(), value(entry.value)?));
            }
            Value::Object(object)
        }
    })
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
    json: Json,
}

impl<'text> Reader<'text> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        loop {
            while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                self.at += 1;
            }
            let rest = &self.text[self.at..];
            let end = if self.json == Json::Strict {
                return;
            } else if rest.starts_with("//") {
                rest.find('\n')
            } else if rest.starts_with("/*") {
                rest.find("*/").map(|end| end + 2)
            } else {
                return;
            };
            self.at += end.unwrap_or(rest.len());
        }
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(token.as_bytes());
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn wrong(&self, wanted: &str) -> Wrong {
        Wrong {
            message: format!("{wanted} was expected"),
            at: self.at,
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Wrong> {
        if depth > JSON_DEPTH {
            return Err(Wrong {
                message: format!("it is nested deeper than {JSON_DEPTH}"),
                at: self.at,
            });
        }
        self.blanks();
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => return self.text(),
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ if self.take("true") || self.take("false") || self.take("null") => self.plain(start),
            _ => return Err(self.wrong("a value")),
        };
        let span = Span::new(start, self.at);
        Ok(Node {
            kind,
            span,
            tag: None,
        })
    }

    /// What was read since the start, as it is written.
    fn plain(&self, start: usize) -> Kind {
        let text = self.text[start..self.at].to_owned();
        let style = Style::Plain;
        Kind::Scalar { text, style }
    }

    fn text(&mut self) -> Result<Node, Wrong> {
        let start = self.at;
        let text = self.string()?;
        Ok(Node::text(text, Span::new(start, self.at)))
    }

    fn object(&mut self, depth: usize) -> Result<Kind, Wrong> {
        self.at += 1;
        let mut entries = Vec::new();
        self.blanks();
        if self.take("}") {
            return Ok(Kind::Mapping(entries));
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a key"));
            }
            let key = self.text()?;
            self.blanks();
            if !self.take(":") {
                return Err(self.wrong("a colon"));
            }
            let value = self.value(depth + 1)?;
            entries.push(Entry { key, value });
            if self.closes("}", "a comma or a closing brace")? {
                return Ok(Kind::Mapping(entries));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Kind, Wrong> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.take("]") {
            return Ok(Kind::Sequence(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.closes("]", "a comma or a closing bracket")? {
                return Ok(Kind::Sequence(items));
            }
        }
    }

    /// Whether the collection ends here; otherwise there is another value.
    fn closes(&mut self, end: &str, wanted: &str) -> Result<bool, Wrong> {
        self.blanks();
        if self.take(end) {
            return Ok(true);
        }
        if !self.take(",") {
            return Err(self.wrong(wanted));
        }
        self.blanks();
        Ok(self.json == Json::Lenient && self.take(end))
    }

    fn number(&mut self) -> Result<Kind, Wrong> {
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
        Ok(self.plain(start))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn string(&mut self) -> Result<String, Wrong> {
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

    fn escape(&mut self) -> Result<char, Wrong> {
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
    fn unicode(&mut self) -> Result<char, Wrong> {
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

    fn hex(&mut self) -> Result<u32, Wrong> {
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
    fn settings_have_places_and_may_have_comments() {
        let text = "// a\n{\"a\": 1, /* b */ \"a\": [\"\\u00e9\", ],}";
        let wrong = tree(text, Json::Strict).expect_err("comments are not JSON");
        assert_eq!((wrong.at, &*wrong.message), (0, "a value was expected"));
        let tree = tree(text, Json::Lenient).expect("it is lenient");
        let items = tree.get("a").and_then(Node::items).expect("the last one counts");
        assert_eq!(
            (items[0].as_text(), items[0].span.of(text)),
            (Some("é"), "\"\\u00e9\"")
        );
        assert!(super::tree("{} // a", Json::Comments).is_ok());
        assert!(super::tree("{\"a\": 1,}", Json::Comments).is_err());
        for unfinished in ["/*", "//", "{} /", "[,]", "{,}"] {
            assert!(super::tree(unfinished, Json::Lenient).is_err(), "{unfinished}");
        }
    }
}
