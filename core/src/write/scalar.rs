//! Text as a YAML scalar that every schema and every parser reads as that text.

use alloc::format;
use alloc::string::String;

use crate::yaml::Style;

/// The context of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A line of its own: `key: value`, or an item after `- `.
    Block,
    /// Brackets and commas.
    Flow,
}

/// Words that some schema reads as a boolean or as null, in lowercase.
const OTHER_THAN_TEXT: &[&str] = &["false", "n", "no", "null", "off", "on", "true", "y", "yes"];

/// The text as a scalar on one line: plain if that is unambiguous, otherwise in quotes.
pub(super) fn scalar(text: &str, place: Place) -> String {
    let escaped = text.contains("---") || text.chars().any(is_escaped);
    if !escaped && is_plain(text, place) {
        String::from(text)
    } else if !escaped && text.contains(['"', '\\']) {
        single_quoted(text)
    } else {
        double_quoted(text)
    }
}

/// The text in the same quotes as before, if possible.
pub(super) fn scalar_like(text: &str, style: Style) -> String {
    match style {
        Style::DoubleQuoted => double_quoted(text),
        Style::SingleQuoted if !text.contains("---") && !text.chars().any(is_escaped) => single_quoted(text),
        _ => scalar(text, Place::Block),
    }
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn is_plain(text: &str, place: Place) -> bool {
    let mut characters = text.chars();
    // Numbers, dates and times start with a digit, a sign or a point; indicators start with something else.
    if !characters.next().is_some_and(char::is_alphabetic) {
        return false;
    }
    if OTHER_THAN_TEXT.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return false;
    }
    match place {
        Place::Flow => characters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')),
        Place::Block => {
            let ends = text.ends_with(|c: char| c == ':' || c.is_whitespace());
            !ends && !text.contains(": ") && !text.contains(" #")
        }
    }
}

fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut dashes = 0;
    for c in text.chars() {
        dashes = if c == '-' { dashes + 1 } else { 0 };
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Some readers end the frontmatter at the first three dashes, in any position.
            '-' if dashes > 2 => quoted.push_str("\\x2d"),
            _ if is_escaped(c) => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Characters that some reader refuses or reads differently: control characters, other line ends, byte order marks.
fn is_escaped(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_plain_only_if_every_reader_agrees() {
        let block = |text| scalar(text, Place::Block);
        for plain in [
            "reviewer",
            "Reviews code, finds bugs (fast)",
            "a:b",
            "It's fine",
            "überprüft",
        ] {
            assert_eq!(block(plain), plain);
        }
        for quoted in [
            "",
            "no",
            "Y",
            "1:30",
            "0777",
            "2024-01-02",
            "~",
            "a: b",
            "a #b",
            "a:",
            "a ",
            "[x]",
        ] {
            assert_eq!(block(quoted), format!("\"{quoted}\""));
        }
        assert_eq!(block("[say \"it's\"]"), "'[say \"it''s\"]'");
        assert_eq!(block("C:\\new"), "C:\\new");
        assert_eq!(block("a: C:\\new"), "'a: C:\\new'");
        assert_eq!(block("a\n\"b\"\u{2028}\u{7f}"), "\"a\\n\\\"b\\\"\\u2028\\u007f\"");
        assert_eq!(block("a ---- b"), "\"a --\\x2d\\x2d b\"");
        assert_eq!(scalar("Bash(git *)", Place::Flow), "\"Bash(git *)\"");
        assert_eq!(scalar("mcp__a__b", Place::Flow), "mcp__a__b");
    }
}
