//! The arguments of a skill in its text.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::Skill;

/// The variable for the folder of a skill.
const FOLDER: &str = "{CLAUDE_SKILL_DIR}";

/// The variable for the project, where tools work.
const PROJECT: &str = "{CLAUDE_PROJECT_DIR}";

/// The variable for all arguments.
const ARGUMENTS: &str = "ARGUMENTS";

impl Skill {
    /// Its text with these arguments. What they contain is not replaced again. A text without a place for them has them at its end.
    /// A result of more than `most` bytes is not finished: a short text can repeat long arguments.
    pub(crate) fn with_arguments(&self, arguments: &str, most: usize) -> String {
        let values = Values {
            skill: self,
            all: arguments,
            each: split(arguments),
        };
        let (mut out, mut rest, mut is_used) = (String::new(), &*self.text, false);
        while let Some(at) = rest.find('$').filter(|_| out.len() <= most) {
            let (before, variable) = (&rest[..at], &rest[at + 1..]);
            rest = variable;
            // One backslash keeps it; before a backslash, it does not.
            let escaped = before.strip_suffix('\\').filter(|before| !before.ends_with('\\'));
            if let Some(before) = escaped.filter(|_| values.is_kept(variable)) {
                out.extend([before, "$"]);
                continue;
            }
            out.push_str(before);
            match values.of(variable) {
                Some((value, length, is_argument)) => {
                    out.push_str(value);
                    is_used |= is_argument;
                    rest = &variable[length..];
                }
                None => out.push('$'),
            }
        }
        out.push_str(rest);
        if !is_used && !arguments.trim().is_empty() {
            out.extend(["\n\nARGUMENTS: ", arguments]);
        }
        out
    }
}

struct Values<'a> {
    skill: &'a Skill,
    all: &'a str,
    each: Vec<String>,
}

impl Values<'_> {
    /// Whether a backslash before the variable that a text begins with keeps it.
    fn is_kept(&self, text: &str) -> bool {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let name = &text[..text.find(|letter| !is_part(letter)).unwrap_or(text.len())];
        let is_named = self.skill.arguments.iter().any(|argument| argument == name);
        is_named || text.starts_with(ARGUMENTS) || text.starts_with(|c: char| c.is_ascii_digit())
    }

    /// The value of the variable that a text begins with, the length of its name, and whether it is an argument.
    fn of(&self, text: &str) -> Option<(&str, usize, bool)> {
        if text.starts_with(FOLDER) {
            return Some((self.skill.directory.as_deref()?, FOLDER.len(), false));
        }
        if text.starts_with(PROJECT) {
            return Some((".", PROJECT.len(), false));
        }
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let name = &text[..text.find(|letter| !is_part(letter)).unwrap_or(text.len())];
        let after = &text[name.len()..];
        if name == ARGUMENTS {
            let number = after.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            return match number.and_then(|(number, _)| Some((number, number.parse::<usize>().ok()?))) {
                Some((number, at)) => {
                    let length = name.len() + number.len() + "[]".len();
                    Some((self.each.get(at)?, length, true))
                }
                None => Some((self.all, name.len(), true)),
            };
        }
        if let Ok(at) = name.parse::<usize>() {
            return Some((self.each.get(at)?, name.len(), true));
        }
        let at = self.skill.arguments.iter().position(|known| known == name)?;
        Some((self.each.get(at).map_or("", |value| value), name.len(), true))
    }
}

/// The arguments apart, as a shell reads quotes. If a quote is not closed, they are one.
fn split(arguments: &str) -> Vec<String> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in arguments.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if matches!(letter, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => all.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return [arguments.to_string()].into();
    }
    all.extend(word);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, arguments: &str) -> String {
        let skill = Skill {
            text: text.into(),
            directory: Some("s".into()),
            arguments: ["first".into(), "second".into()].into(),
            ..Skill::default()
        };
        skill.with_arguments(arguments, usize::MAX)
    }

    /// Claude Code 2.1.330 does the same, but with absolute paths.
    #[test]
    fn arguments_are_replaced_as_measured() {
        for (text, arguments, expected) in [
            ("[$ARGUMENTS]", "a b", "[a b]"),
            ("[$ARGUMENTS]", "", "[]"),
            ("\\$ARGUMENTS $ARGUMENTS", "a", "$ARGUMENTS a"),
            (
                "$0 \\$1.00 \\$first \\$firstly \\$x",
                "a",
                "a $1.00 $first \\$firstly \\$x",
            ),
            ("\\\\$ARGUMENTS \\\\$0 \\\\\\$0", "a", "\\\\a \\\\a \\\\\\a"),
            ("$ARGUMENTS[0] $ARGUMENTS[1]", "a", "a $ARGUMENTS[1]"),
            ("$0 $1 $9 $10", "a 'b c'", "a b c $9 $10"),
            ("$0", "", "$0"),
            ("$first-$second $firstly ${first}", "a", "a- $firstly ${first}"),
            ("$0 $1", "it's $0 two", "it's $0 two $1"),
            ("${CLAUDE_SKILL_DIR} ${CLAUDE_PROJECT_DIR} $HOME", "", "s . $HOME"),
            ("Text.", "a b", "Text.\n\nARGUMENTS: a b"),
            ("Text.", " ", "Text."),
            ("${CLAUDE_SKILL_DIR}", "a", "s\n\nARGUMENTS: a"),
            ("ends with $", "", "ends with $"),
            ("ä$äb", "x", "ä$äb\n\nARGUMENTS: x"),
            (
                "$99999999999999999999",
                "x",
                "$99999999999999999999\n\nARGUMENTS: x",
            ),
        ] {
            assert_eq!(filled(text, arguments), expected, "{text}");
        }
    }

    #[test]
    fn long_results_are_not_finished() {
        let skill = Skill {
            text: "$ARGUMENTS".repeat(1_000),
            ..Skill::default()
        };
        let long = skill.with_arguments(&"x".repeat(1_000), 10_000);
        assert!(long.len() < 30_000, "{}", long.len());
    }
}
