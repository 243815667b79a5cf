//! Values as TOML.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Value;
use crate::yaml::{Entry, Kind, Node, Plain};

/// A value; none if TOML cannot express it. With `breaks`, text may have several lines.
pub(super) fn value(value: &Value, breaks: bool) -> Option<String> {
    let text = |words: &str| text(words, breaks);
    match value {
        Value::Text(words) | Value::Entered(words) => Some(text(words)),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(value) => Some(value.to_string()),
        Value::Words(words) => Some(list(words.iter().map(|word| text(word)))),
        Value::Yaml(tree) => node(tree, breaks),
        Value::Tools(_) => None,
    }
}

/// Text in quotes: multi-line and unescaped, where that is allowed and possible.
pub(super) fn text(words: &str, breaks: bool) -> String {
    let may_stand = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let literal = words.chars().all(may_stand) && !words.contains("'''") && !words.ends_with('\'');
    match (breaks && words.contains('\n'), literal) {
        (true, true) => format!("'''\n{words}'''"),
        (true, false) => format!("\"\"\"\n{}\"\"\"", escaped(words, true)),
        (false, _) => format!("\"{}\"", escaped(words, false)),
    }
}

fn escaped(words: &str, several_lines: bool) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' if several_lines => out.push('\n'),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push('\t'),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("[{}]", items.join(", "))
}

fn node(tree: &Node, breaks: bool) -> Option<String> {
    match &tree.kind {
        Kind::Sequence(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| node(item, breaks)).collect();
            Some(list(items?.into_iter()))
        }
        Kind::Mapping(entries) => table(entries, breaks),
        Kind::Scalar { text: words, .. } => match tree.plain()? {
            Plain::Null => None,
            Plain::Boolean(value) => Some(value.to_string()),
            Plain::Integer(number) => Some(number.to_string()),
            Plain::Float => is_float(words).then(|| words.clone()),
            Plain::Text(words) => Some(text(words, breaks)),
        },
    }
}

/// Whether TOML also reads this number of YAML: it has digits on both sides of the point, and no zero before others.
fn is_float(words: &str) -> bool {
    let unsigned = words.strip_prefix(['+', '-']).unwrap_or(words);
    let Some((whole, fraction)) = unsigned.split_once('.') else {
        return false;
    };
    let is_whole = whole == "0" || !whole.is_empty() && !whole.starts_with('0');
    is_whole && fraction.starts_with(|c: char| c.is_ascii_digit())
}

/// A line for each key; none if TOML cannot express a value.
pub(super) fn keys(entries: &[Entry]) -> Option<String> {
    let line = |entry: &Entry| {
        let key = entry.key.as_text()?;
        let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let key = if !key.is_empty() && key.chars().all(is_bare) {
            key.into()
        } else {
            text(key, false)
        };
        Some(format!("{key} = {}\n", node(&entry.value, true)?))
    };
    entries.iter().map(line).collect()
}

/// An inline table, without duplicate keys.
fn table(entries: &[Entry], breaks: bool) -> Option<String> {
    let mut parts = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let key = entry.key.as_text()?;
        if entries[..at].iter().any(|other| other.key.as_text() == Some(key)) {
            return None;
        }
        parts.push(format!(
            "\"{}\" = {}",
            escaped(key, false),
            node(&entry.value, breaks)?
        ));
    }
    Some(format!("{{ {} }}", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;
    use crate::toml::read;

    #[test]
    fn numbers_are_those_of_toml() {
        for (words, is_written) in [
            ("0.5", true),
            ("-10.25", true),
            ("1.5e+3", true),
            (".5", false),
            ("5.", false),
            ("1.e3", false),
            ("-.inf", false),
            ("00.5", false),
        ] {
            let document = crate::yaml::read(words, 0).expect("it is YAML");
            let number = node(&document.root.expect("it is a scalar"), false);
            assert_eq!(number.as_deref(), is_written.then_some(words));
            assert_eq!(
                read(&format!("a = {words}\n"), 0).1.is_none(),
                is_written,
                "{words}"
            );
        }
    }

    #[test]
    fn written_text_is_read_back() {
        for words in [
            "a",
            "",
            "a\nb\n",
            "\n'''\"\"\"\\",
            "it's\n'",
            "\u{1}\r\n\t",
            "\"",
            "\n\n",
            "\u{85}\u{7f}",
        ] {
            for breaks in [true, false] {
                let (root, error) = read(&format!("a = {}\n", text(words, breaks)), 0);
                assert_eq!(error, None, "{words:?}");
                assert_eq!(root.get("a").and_then(Node::as_text), Some(words));
            }
        }
        let twice = Entry {
            key: Node::text("a", Span::default()),
            value: Node::text("b", Span::default()),
        };
        assert_eq!(table(&[twice.clone(), twice], true), None);
    }
}
