//! Patterns with `*`.

use crate::dialect::CommandPatterns;

/// Whether the text fits. What stands before `named` has to be in the pattern letter by letter.
pub(super) fn fits(pattern: &str, style: CommandPatterns, text: &str, named: usize) -> bool {
    let pattern = pattern.trim();
    if style == CommandPatterns::Prefix {
        let prefix = pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *"));
        if let Some(prefix) = prefix {
            let prefix = prefix.trim_end();
            let whole = wildcard(prefix, text) && literal(prefix) >= named;
            return whole || with_rest(prefix, text, named);
        }
    }
    literal(pattern) >= named && wildcard(pattern, text)
}

/// Whether the text is the prefix, a blank, and anything.
fn with_rest(prefix: &str, text: &str, named: usize) -> bool {
    // The blank is part of what is written.
    let reaches = if prefix.contains('*') {
        literal(prefix)
    } else {
        prefix.len() + 1
    };
    let mut pattern = alloc::string::String::from(prefix);
    pattern.push_str(" *");
    reaches >= named && wildcard(&pattern, text)
}

/// How many bytes of a text that fits are written in the pattern.
fn literal(pattern: &str) -> usize {
    pattern.find('*').unwrap_or(usize::MAX)
}

/// Whether the text fits a pattern in which `*` stands for anything. The first fit of each part is the best one.
pub(super) fn wildcard(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards() {
        for (pattern, text) in [
            ("a*", "a"),
            ("*b*", "abc"),
            ("a*b*a", "aba"),
            ("*", ""),
            ("a**b", "ab"),
        ] {
            assert!(wildcard(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("a*b*a", "aa"),
            ("ab*ba", "aba"),
            ("a", "ab"),
            ("*b", "bc"),
            ("a*a", "a"),
        ] {
            assert!(!wildcard(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn styles() {
        use CommandPatterns::{Glob, Prefix};
        assert!(fits("git *", Prefix, "git", 3) && fits("git:*", Prefix, "git log", 3));
        assert!(!fits("git *", Glob, "git", 3) && fits("git *", Glob, "git log", 3));
        assert!(!fits("git:*", Prefix, "github", 3) && !fits("git *", Prefix, "github", 3));
        assert!(fits("git*", Prefix, "github", 3));
        assert!(!fits("env *", Prefix, "env rm", 6) && fits("env rm *", Prefix, "env rm", 6));
    }
}
