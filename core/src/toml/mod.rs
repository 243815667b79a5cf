//! TOML with spans, as the same tree that YAML gives. The only file that names the TOML crate.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};

use crate::order::sorted;
use crate::span::Span;
use crate::yaml::{Entry, Kind, Node, Style, SyntaxError};

/// Reads the text from `start` on. Where it is no TOML, what could be made out, and the first mistake.
pub(crate) fn read(text: &str, start: usize) -> (Node, Option<SyntaxError>) {
    let (table, errors) = DeTable::parse_recoverable(&text[start..]);
    let whole = Span::new(start, text.len());
    let entries = entries(table.get_ref(), start);
    let root = Node {
        kind: Kind::Mapping(entries),
        span: whole,
        tag: None,
    };
    let error = errors.first().map(|error| {
        let range = error.span().unwrap_or(0..0);
        SyntaxError {
            message: error.message().lines().collect::<Vec<_>>().join(", "),
            span: placed(text, start, range.start, range.end),
            may_be_mended: false,
            is_indentation: false,
        }
    });
    (root, error)
}

/// A place in the whole text, on character boundaries and never past the end.
fn placed(text: &str, start: usize, from: usize, to: usize) -> Span {
    let from = text.floor_char_boundary((start + from).min(text.len()));
    let to = text.ceil_char_boundary((start + to).min(text.len()));
    Span::new(from, to)
}

/// In file order: a table forgets it.
fn entries(table: &DeTable<'_>, start: usize) -> Vec<Entry> {
    let entries = table.iter().map(|(key, value)| Entry {
        key: Node::text(key.get_ref().to_string(), moved(key, start)),
        value: node(value, start),
    });
    sorted(entries.collect(), |a, b| a.key.span.start.cmp(&b.key.span.start))
}

fn node(value: &Spanned<DeValue<'_>>, start: usize) -> Node {
    let span = moved(value, start);
    let plain = |text: String| Node::scalar(text, Style::Plain, span);
    let kind = match value.get_ref() {
        DeValue::String(text) => return Node::text(text.to_string(), span),
        DeValue::Integer(number) => return plain(integer(number.as_str(), number.radix())),
        DeValue::Float(number) => return plain(number.as_str().to_owned()),
        DeValue::Boolean(value) => return plain(value.to_string()),
        DeValue::Datetime(time) => return Node::text(time.to_string(), span),
        DeValue::Array(items) => Kind::Sequence(items.iter().map(|item| node(item, start)).collect()),
        DeValue::Table(table) => Kind::Mapping(entries(table, start)),
    };
    Node {
        kind,
        span,
        tag: None,
    }
}

fn moved<T>(spanned: &Spanned<T>, start: usize) -> Span {
    let range = spanned.span();
    Span::new(start + range.start, start + range.end)
}

/// In decimal, which is what everybody reads.
fn integer(digits: &str, radix: u32) -> String {
    match i64::from_str_radix(digits, radix) {
        Ok(number) => number.to_string(),
        Err(_) => digits.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_tree_as_yaml() {
        let text = "name = \"a\"\nä = 0x10\nprompt = '''\nSay: \"hi\"\n'''\nlist = [1, true]\n[mcp.x]\ncommand = 'c'\n";
        let (root, error) = read(text, 0);
        assert_eq!(
            error.map(|error| error.message),
            Some("invalid unquoted key, expected letters, numbers, `-`, `_`".to_owned())
        );
        let text = text.replace('ä', "b");
        let (root2, error) = read(&text, 0);
        assert_eq!(error, None);
        assert_eq!(root.entries().len(), root2.entries().len());
        let written: Vec<(&str, &str)> = root2
            .entries()
            .iter()
            .map(|entry| (entry.key.span.of(&text), entry.value.span.of(&text)))
            .collect();
        assert_eq!(written[0], ("name", "\"a\""));
        assert_eq!(root2.get("b").and_then(Node::as_text), Some("16"));
        assert_eq!(root2.get("prompt").and_then(Node::as_text), Some("Say: \"hi\"\n"));
        std::println!("{written:?}");
        let mcp = root2
            .get("mcp")
            .and_then(|mcp| mcp.get("x"))
            .and_then(|x| x.get("command"));
        assert_eq!(mcp.and_then(Node::as_text), Some("c"));
    }

    #[test]
    fn duplicates_and_depth_are_mistakes() {
        assert!(read("a = 1\na = 2\n", 0).1.is_some());
        let deep = alloc::format!("a = {}", "[".repeat(10_000));
        assert!(read(&deep, 0).1.is_some());
        let (_, error) = read("\u{feff}a = ", 3);
        assert!(error.is_some_and(|error| error.span.end.index() <= 7));
    }
}
