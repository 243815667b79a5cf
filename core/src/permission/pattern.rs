//! Patterns with `*`.

use crate::dialect::CommandPatterns;

/// How many bytes of a matching text the pattern spells out, at its start and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub first: usize,
    pub last: usize,
}

/// Whether the text matches, and what of it the pattern spells out.
pub(super) fn fits(pattern: &str, style: CommandPatterns, text: &str) -> Option<Written> {
    let pattern = pattern.trim();
    if style == CommandPatterns::Prefix {
        let prefix = pattern.strip_suffix(":*").or_else(|| pattern.strip_suffix(" *"));
        if let Some(prefix) = prefix {
            let prefix = prefix.trim_end();
            let longer = alloc::format!("{prefix} *");
            return written(prefix, text).or_else(|| written(&longer, text));
        }
    }
    written(pattern, text)
}

fn written(pattern: &str, text: &str) -> Option<Written> {
    let star = pattern.find('*').zip(pattern.rfind('*'));
    let written = star.map_or((text.len(), 0), |(first, last)| (first, pattern.len() - last - 1));
    let (first, last) = written;
    wildcard(pattern, text).then_some(Written { first, last })
}

/// Whether the text matches a pattern in which `*` matches anything. The first match of each part is the best one.
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
    fn wildcards_match() {
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
    fn each_style_has_its_own_prefix_rules() {
        use CommandPatterns::{Glob, Prefix};
        let first = |pattern, style, text| fits(pattern, style, text).map(|written| written.first);
        assert_eq!(first("git *", Prefix, "git"), Some(3));
        assert_eq!(first("git:*", Prefix, "git log"), Some(4));
        assert_eq!(first("git *", Glob, "git"), None);
        assert_eq!(first("git *", Prefix, "github"), None);
        assert_eq!(first("git log", Glob, "git log"), Some(7));
        let ends = fits("git * main", Glob, "git checkout main");
        assert_eq!(ends, Some(Written { first: 4, last: 5 }));
    }
}
