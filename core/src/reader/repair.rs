//! Neovate's second attempt at invalid YAML: values that are not simple are quoted.

use alloc::string::String;

use crate::dialect::edition::Blanks;
use crate::limits::{FILE_BYTES, FRONTMATTER_BYTES};
use crate::lines::ends_script_line;

/// The text with its frontmatter repaired; none if there is nothing to repair.
pub(super) fn repaired(text: &str) -> Option<String> {
    let original = frontmatter(text).filter(|it| it.len() <= FRONTMATTER_BYTES)?;
    let quoted = quoted(original);
    (quoted != original).then(|| replaced(text, original, &quoted))?
}

/// The text between a first line that is `---` and the next that starts with it.
fn frontmatter(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("---")?;
    let rest = rest.strip_prefix('\r').unwrap_or(rest).strip_prefix('\n')?;
    let end = rest.find("\n---")?;
    Some(rest[..end].strip_suffix('\r').unwrap_or(&rest[..end]))
}

/// The text with `from` replaced once, like in JavaScript: `$` is special in the replacement. None if it is too long, since each `$` may
/// stand for the whole body.
fn replaced(text: &str, from: &str, to: &str) -> Option<String> {
    let (before, after) = text.split_once(from).unwrap_or((text, ""));
    let mut result = String::from(before);
    let mut rest = to;
    while let Some((plain, special)) = rest.split_once('$') {
        result.push_str(plain);
        let meaning = match special.chars().next() {
            Some('$') => "$",
            Some('&') => from,
            Some('`') => before,
            Some('\'') => after,
            _ => {
                result.push('$');
                rest = special;
                continue;
            }
        };
        if result.len() + meaning.len() > FILE_BYTES {
            return None;
        }
        result.push_str(meaning);
        rest = &special[1..];
    }
    result.push_str(rest);
    result.push_str(after);
    (result.len() <= FILE_BYTES).then_some(result)
}

/// The frontmatter with its values quoted, except simple ones.
fn quoted(frontmatter: &str) -> String {
    let mut result = String::with_capacity(frontmatter.len() + 16);
    let mut rest = frontmatter;
    while !rest.is_empty() {
        let Some((key, value)) = pair(rest) else {
            let line = rest.find(ends_script_line);
            let end = line.map_or(rest.len(), |at| {
                at + rest[at..].chars().next().map_or(1, char::len_utf8)
            });
            result.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        };
        result.push_str(key);
        if is_simple(value) {
            result.push_str(value);
        } else {
            result.push('"');
            for c in Blanks::EcmaScript.trim(value).chars() {
                if matches!(c, '\\' | '"') {
                    result.push('\\');
                }
                result.push(c);
            }
            result.push('"');
        }
        rest = &rest[key.len() + value.len()..];
    }
    result
}

/// A key with its colon and the whitespace around it, and the rest of the line. Line ends are whitespace, too.
fn pair(text: &str) -> Option<(&str, &str)> {
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let before = blanks(text);
    let key = text[before..].len() - text[before..].trim_start_matches(is_key).len();
    if key == 0 {
        return None;
    }
    let colon = before + key + blanks(&text[before + key..]);
    text[colon..].strip_prefix(':')?;
    let value = colon + 1 + blanks(&text[colon + 1..]);
    let line = text[value..].find(ends_script_line).unwrap_or(text.len() - value);
    (line > 0).then(|| (&text[..value], &text[value..value + line]))
}

/// The length of the whitespace and line ends at the start of the text.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c| Blanks::EcmaScript.has(c)).len()
}

fn is_simple(value: &str) -> bool {
    let value = Blanks::EcmaScript.trim(value);
    let quoted = |quote| value.starts_with(quote) && value.ends_with(quote);
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-') || Blanks::EcmaScript.has(c);
    quoted('"') || quoted('\'') || value.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_replacement_does_not_grow_beyond_a_file() {
        let file = |marks: usize, body: usize| {
            let marks = "$'".repeat(marks);
            format!("---\ndescription: a: b {marks}\n---\n{}", "x".repeat(body))
        };
        assert_eq!(
            repaired(&file(1, 1)).as_deref(),
            Some("---\ndescription: \"a: b \n---\nx\"\n---\nx")
        );
        assert_eq!(repaired(&file(2000, 900_000)), None);
        assert_eq!(repaired(&file(FRONTMATTER_BYTES, 1)), None);
    }
}
