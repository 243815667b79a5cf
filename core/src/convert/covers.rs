//! Whether a pattern surely matches all that another one does.

use alloc::string::String;

use super::tools::plain;
use crate::dialect::{CommandPatterns, Dialect};
use crate::vocabulary::Rights;

/// Whether a pattern of a tool with these rights covers another one.
pub(super) fn covers(dialect: &Dialect, rights: Rights, wide: &str, narrow: &str) -> bool {
    let (wide, narrow) = (&*plain(wide), &*plain(narrow));
    let begins = |end: &str| {
        let start = wide.strip_suffix(end).filter(|start| !start.contains('*'));
        is_one(narrow) && start.is_some_and(|start| narrow.starts_with(start))
    };
    if wide == narrow || wide == "*" {
        true
    } else if rights.meets(Rights::SHELL) {
        begins("*") || covers_command(dialect, wide, narrow)
    } else {
        // A list of agents has commas.
        let is_list = rights.meets(Rights::DELEGATE) && narrow.contains(',');
        let is_below = wide.ends_with("/**") && begins("**");
        !is_list && (begins("*") || is_below) && is_in_place(wide, narrow)
    }
}

/// Whether a pattern of commands covers a command with or without more arguments.
pub(super) fn covers_command(dialect: &Dialect, wide: &str, command: &str) -> bool {
    let wide = &*plain(wide);
    let start = wide.strip_suffix(" *").filter(|start| !start.contains('*'));
    let more = start.and_then(|start| command.strip_prefix(start));
    let is_alone = dialect.delegation.commands == CommandPatterns::Prefix;
    let fits = |more: &str| more.starts_with(' ') || more.is_empty() && is_alone;
    wide == command || is_one(command) && more.is_some_and(fits)
}

/// A command line may go on with another command.
fn is_one(command: &str) -> bool {
    !command.contains([';', '&', '|', '`', '$', '(', ')', '<', '>', '\n'])
}

/// Whether a pattern that begins like another one is in the same folder, also where products differ in what a pattern may have.
fn is_in_place(wide: &str, narrow: &str) -> bool {
    let root = |pattern: &str| [pattern.starts_with("//"), pattern.starts_with("~/")];
    // One without a folder matches in every folder.
    let is_free = |pattern: &str| !pattern.trim_end_matches('/').contains('/');
    let is_plain = !wide.contains(['?', '[', '{', '!', '\\']);
    let spelled_out: String = narrow.chars().filter(|c| !"{}[],".contains(*c)).collect();
    is_plain
        && root(wide) == root(narrow)
        && (is_free(wide) || !is_free(narrow))
        && !spelled_out.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialects;

    fn covered(rights: Rights, wide: &str, narrow: &str) -> bool {
        let dialects = Dialects::embedded();
        let claude = dialects.get("claude-code").expect("it is built in");
        covers(claude, rights, wide, narrow)
    }

    #[test]
    fn commands_cover_themselves_with_more_arguments() {
        for (wide, narrow, expected) in [
            ("git log:*", "git log", true),
            ("git log *", "git log --all", true),
            ("git log *", "git log:*", true),
            ("git *", "git log *", true),
            ("git log", "git log", true),
            ("git log:*", "git logs", false),
            ("git log:*", "git log*", false),
            ("git log:*", "git", false),
            ("git log:*", "git log; rm x", false),
            ("git log:*", "git log\nrm", false),
            ("git log:*", "git log $(rm x)", false),
            ("* log *", "git log", false),
            ("git log", "git log:*", false),
            ("git log/**", "git log/x", false),
        ] {
            assert_eq!(covered(Rights::SHELL, wide, narrow), expected, "{wide} {narrow}");
        }
    }

    #[test]
    fn a_program_alone_needs_a_style_of_prefixes() {
        let dialects = Dialects::embedded();
        let styles = [CommandPatterns::Prefix, CommandPatterns::Glob];
        for (style, expected) in styles.into_iter().zip([true, false]) {
            let mut dialect = Dialect::clone(dialects.get("claude-code").expect("it is built in"));
            dialect.delegation.commands = style;
            assert_eq!(covers(&dialect, Rights::SHELL, "git *", "git"), expected);
            assert_eq!(covers_command(&dialect, "git *", "git"), expected);
            assert!(covers_command(&dialect, "git *", "git log"));
            assert!(!covers_command(&dialect, "git*", "gitk"));
        }
    }

    #[test]
    fn folders_cover_what_is_in_them() {
        for (wide, narrow, expected) in [
            ("src/**", "src/app/**", true),
            ("src/**", "src/a.ts", true),
            ("src/**", "src/{a,b}.ts", true),
            ("src/*", "src/a.ts", true),
            ("/**", "/src/a.ts", true),
            ("~/notes/**", "~/notes/a.md", true),
            ("//etc/**", "//etc/hosts", true),
            ("src/**", "src/../x", false),
            ("src/*", "src/../x", false),
            ("src/**", "src/{.,}./x", false),
            ("src/**", "src/..\\x", false),
            ("src/**", "srcs/a", false),
            // It matches in every folder.
            ("src/**", "src", false),
            ("src/**", "src/", false),
            ("src/*", "src/", false),
            ("src/**", "src*", false),
            ("src/**", "**", false),
            ("src/**", "lib/src/a", false),
            ("/**", "//etc/hosts", false),
            ("/*", "//etc/hosts", false),
            ("~*", "~/a", false),
            ("!src/**", "!src/app/**", false),
            ("{src/**", "{src/a,lib}", false),
            ("*/src/**", "*/src/a", false),
        ] {
            assert_eq!(covered(Rights::EDIT, wide, narrow), expected, "{wide} {narrow}");
        }
    }

    #[test]
    fn other_patterns_cover_what_begins_alike() {
        assert!(covered(
            Rights::WEB_FETCH,
            "domain:docs.*",
            "domain:docs.example.org"
        ));
        assert!(covered(Rights::DELEGATE, "re*", "reviewer"));
        assert!(!covered(Rights::DELEGATE, "re*", "reviewer, tester"));
    }
}
