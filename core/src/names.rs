//! Names of new definitions, and their files.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::dialect::{Dialect, Identity};

/// Longer ones are refused by some reader.
const LONGEST: usize = 64;

/// Why no file can have a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidName {
    /// The problem, as one sentence without a full stop.
    pub problem: String,
    /// A similar valid name, if there is one.
    pub similar: Option<String>,
}

/// The file of a new definition, below the directory of its dialect.
///
/// Fails if some system does not allow a file of this name, or some reader refuses it.
pub fn file(name: &str, dialect: &Dialect) -> Result<String, InvalidName> {
    let invalid = |wrong: &str, similar: Option<String>| InvalidName {
        problem: format!("`{name}` is not a valid {} name: {wrong}", dialect.kind.noun()),
        similar,
    };
    let mut endings = dialect.endings().filter(|ending| !ending.is_empty());
    if let Some(stem) = endings.find_map(|ending| name.strip_suffix(&*ending)) {
        let wrong = "the extension is added automatically";
        return Err(invalid(wrong, Some(stem.to_string())));
    }
    let separators: &[char] = match dialect.identity {
        Identity::Folder | Identity::Stem | Identity::Dashes => &[],
        Identity::Path => &['/'],
        Identity::Colons => &['/', ':'],
    };
    let parts = || name.split(separators);
    if let Some(wrong) = parts().find_map(wrong) {
        let similar: Option<Vec<String>> = parts().map(similar).collect();
        let separator = dialect.identity.separator().unwrap_or_default();
        return Err(invalid(wrong, similar.map(|parts| parts.join(separator))));
    }
    let ending = dialect.endings().next().unwrap_or_default();
    Ok(match dialect.identity {
        Identity::Colons => [&name.replace(':', "/"), &*ending].concat(),
        _ => [name, &ending].concat(),
    })
}

/// What is wrong with a part of a name.
fn wrong(name: &str) -> Option<&'static str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() {
        Some("a name is required")
    } else if name.chars().count() > LONGEST {
        Some("it is longer than 64 characters")
    } else if !name.chars().all(is_plain) {
        Some("it may contain only letters, digits, `-`, `_` and `.`")
    } else if !name.starts_with(char::is_alphanumeric) || name.ends_with('.') {
        Some("it must start with a letter or a digit, and not end with a dot")
    } else if is_reserved(name) {
        Some("some systems do not allow a file of this name")
    } else {
        None
    }
}

/// Names of Windows devices, with any extension.
pub(crate) fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().find_map(|prefix| stem.strip_prefix(prefix));
    let is_digit = |rest: &str| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit();
    matches!(&*stem, "con" | "prn" | "aux" | "nul") || numbered.is_some_and(is_digit)
}

/// A valid name from the words of a text, if there is one.
fn similar(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let joined = words.join("-").to_lowercase();
    wrong(&joined).is_none().then_some(joined)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{InvalidName, file};
    use crate::dialect::Dialects;

    fn named(dialect: &str, name: &str) -> Result<String, Option<String>> {
        let dialects = Dialects::embedded();
        let dialect = dialects.named(dialect, crate::dialect::Kind::Agent).unwrap();
        file(name, dialect).map_err(|InvalidName { similar, .. }| similar)
    }

    #[test]
    fn a_name_becomes_a_file() {
        for (dialect, name, path) in [
            ("claude-code", "code-reviewer", "code-reviewer.md"),
            ("claude-code", "v1.2", "v1.2.md"),
            ("claude-code", "\u{fc}ber", "\u{fc}ber.md"),
            ("copilot", "a", "a.agent.md"),
            ("opencode", "a/b", "a/b.md"),
            ("skill:claude-code", "a", "a/SKILL.md"),
            ("command:gemini-cli", "a:b", "a/b.toml"),
        ] {
            assert_eq!(named(dialect, name).as_deref(), Ok(path), "{dialect} {name}");
        }
    }

    #[test]
    fn names_that_some_system_or_reader_refuses_are_invalid() {
        for (dialect, name, similar) in [
            ("claude-code", "My Agent!", Some("my-agent")),
            ("claude-code", "../x", Some("x")),
            ("claude-code", "a/b\\c", Some("a-b-c")),
            ("claude-code", "a.md", Some("a")),
            ("claude-code", "nul.x", Some("nul-x")),
            ("claude-code", "x.", Some("x")),
            ("claude-code", "", None),
            ("claude-code", "..", None),
            ("claude-code", "con", None),
            ("claude-code", "LPT1", None),
            ("claude-code", &"x".repeat(65), None),
            ("opencode", "My Agents/b", Some("my-agents/b")),
            ("opencode", "a/../b", None),
            ("opencode", "a//b", None),
            ("copilot", "a.agent.md", Some("a")),
            ("command:gemini-cli", "a:B c", Some("a:b-c")),
        ] {
            let similar = similar.map(String::from);
            assert_eq!(named(dialect, name), Err(similar), "{dialect} {name}");
        }
    }
}
