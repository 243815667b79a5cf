//! Second attempts at invalid YAML: values are quoted or put into blocks, line by line.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::dialect::edition::Blanks;
use crate::lines::ends_script_line;
use crate::yaml;

/// Characters that make Claude Code quote a value.
const SPECIAL: &[char] = &['{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`'];

/// Claude Code: the values of unindented keys are put in double quotes if they contain special characters or a colon and a space, unless
/// they are quoted already or a list in brackets. Tabs that indent a line become spaces.
pub(super) fn quoted(yaml: &str) -> String {
    let mut result = String::with_capacity(yaml.len() + 16);
    for (number, line) in yaml.split('\n').enumerate() {
        if number > 0 {
            result.push('\n');
        }
        match special_value(line) {
            Some((key, value)) => {
                result.push_str(key);
                result.push_str(": \"");
                for c in value.chars() {
                    if matches!(c, '\\' | '"') {
                        result.push('\\');
                    }
                    result.push(c);
                }
                result.push('"');
            }
            None => {
                let words = line.trim_start_matches([' ', '\t']);
                let indent = &line[..line.len() - words.len()];
                result.push_str(&indent.replace('\t', "  "));
                result.push_str(words);
            }
        }
    }
    result
}

/// Whether Claude Code reads a frontmatter that is not valid YAML.
pub(crate) fn is_repaired(yaml: &str) -> bool {
    yaml::read(&quoted(yaml), 0).is_ok()
}

/// The key and the value of a line whose value Claude Code puts in quotes.
pub(crate) fn special_value(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    let value = rest.trim_start_matches(|c| Blanks::EcmaScript.has(c));
    let is_value = value.len() < rest.len() && !value.is_empty() && !value.contains(ends_script_line);
    if key.is_empty() || !key.chars().all(is_key) || !is_value {
        return None;
    }
    let is_quoted = |quote: char| value.starts_with(quote) && value.ends_with(quote);
    let is_special = value.contains(SPECIAL) || value.contains(": ");
    let is_list = || value.starts_with('[') && value.ends_with(']') && yaml::read(value, 0).is_ok();
    (is_special && !is_quoted('"') && !is_quoted('\'') && !is_list()).then_some((key, value))
}

/// Codex: values with a colon and whitespace, or that begin like a list or a map and are none, are put in single quotes, up to a comment.
/// None if there is none.
pub(super) fn up_to_comments(yaml: &str) -> Option<String> {
    let mut result = String::with_capacity(yaml.len() + 16);
    let (mut is_changed, mut block) = (false, None);
    for (number, line) in yaml.lines().enumerate() {
        if number > 0 {
            result.push('\n');
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        block = block.filter(|block| line.trim().is_empty() || indent > *block);
        match commented_value(line).filter(|_| block.is_none()) {
            Some((before, value, after)) if is_unquoted(value) => {
                for part in [before, "'", &value.replace('\'', "''"), "'", after] {
                    result.push_str(part);
                }
                is_changed = true;
            }
            value => {
                block = block.or(value.filter(|it| it.1.starts_with(['|', '>'])).map(|_| indent));
                result.push_str(line);
            }
        }
    }
    is_changed.then_some(result)
}

/// What is before the value of a line, the value, and what is after it.
fn commented_value(line: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = line.split_once(':')?;
    if key.trim().is_empty() || rest.starts_with(|c: char| !c.is_whitespace()) {
        return None;
    }
    let rest = rest.trim_start();
    let mut marks = rest.match_indices('#');
    let comment = marks.find(|(at, _)| *at == 0 || rest[..*at].ends_with(char::is_whitespace));
    let value = rest[..comment.map_or(rest.len(), |(at, _)| at)].trim_end();
    let (before, after) = (&line[..line.len() - rest.len()], &rest[value.len()..]);
    Some((before, value, after))
}

fn is_unquoted(value: &str) -> bool {
    let mut colons = value.match_indices(':');
    let has_colon = colons.any(|(at, _)| value[at + 1..].starts_with(char::is_whitespace));
    let is_broken = || value.starts_with(['[', '{', '@', '`']) && yaml::read(value, 0).is_err();
    !value.starts_with(['\'', '"', '|', '>']) && (has_colon || is_broken())
}

/// OpenCode: the values of unindented keys that contain a colon become blocks of text, unless they are quoted or empty.
pub(super) fn in_blocks(text: &str) -> Cow<'_, str> {
    let rest = text
        .strip_prefix("---")
        .map(|rest| rest.strip_prefix('\r').unwrap_or(rest));
    let Some(rest) = rest.and_then(|rest| rest.strip_prefix('\n')) else {
        return Cow::Borrowed(text);
    };
    let Some(end) = rest.find("\n---") else {
        return Cow::Borrowed(text);
    };
    let yaml = rest[..end].strip_suffix('\r').unwrap_or(&rest[..end]);
    let start = text.len() - rest.len();
    let mut result = String::from(&text[..start]);
    for (number, line) in yaml.split('\n').enumerate() {
        if number > 0 {
            result.push('\n');
        }
        let line = line.strip_suffix('\r').unwrap_or(line);
        match value_with_colon(line) {
            Some((key, value)) => {
                for part in [key, ": |-\n  ", value] {
                    result.push_str(part);
                }
            }
            None => result.push_str(line),
        }
    }
    result.push_str(&text[start + yaml.len()..]);
    Cow::Owned(result)
}

fn value_with_colon(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim_end_matches(|c| Blanks::EcmaScript.has(c));
    let is_key = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || !key.chars().all(is_key) || value.contains(ends_script_line) {
        return None;
    }
    let value = Blanks::EcmaScript.trim(value);
    let is_block = matches!(value, ">" | "|");
    (value.contains(':') && !is_block && !value.starts_with(['"', '\''])).then_some((key, value))
}
