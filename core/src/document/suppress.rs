//! A comment that suppresses a finding, to write into a file.

use super::draft::{Draft, File, draft};
use crate::diagnostic::Edit;
use crate::dialect::{Dialect, Dialects, Level, UnknownDialect};
use crate::frontmatter::Parts;
use crate::lines::first_end;
use crate::places::file_name;
use crate::rules;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::MARK;

/// What a comment covers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// An item of a list, or a line of the body.
    Line,
    /// A field with its value.
    Field,
    File,
}

/// An edit that adds a comment for a finding of this rule that starts `at` this byte, for as little of the file as possible. None if no
/// comment can suppress it, or one does already: only files of the dialect have comments, not settings, manifests and instructions. The
/// default dialect is as for [`parse`](super::parse).
pub fn suppress(
    path: &str,
    bytes: &[u8],
    rule: &str,
    at: usize,
    dialect: Option<&str>,
    dialects: &Dialects,
) -> Result<Option<Edit>, UnknownDialect> {
    let source = Source::of_file(bytes);
    let dialect = dialects.choose(dialect, path, &source.text)?;
    let file = Commented {
        path,
        text: &source.text,
        dialect,
        dialects,
    };
    // Invalid UTF-8 moves offsets, and a comment in the part that is not read has no effect.
    let name = file_name(path);
    let is_owned = dialects
        .owner(path)
        .is_some_and(|owner| owner.has_name_of_its_own(path));
    let configures = !is_owned && dialects.iter().any(|dialect| dialect.configures(path));
    let is_whole = source.invalid.is_empty() && source.text.len() == bytes.len();
    let has_comments = dialect.reads(name) && !configures;
    Ok((is_whole && has_comments && rules::is_known(rule))
        .then(|| file.edit(rule, at))
        .flatten())
}

struct Commented<'a> {
    path: &'a str,
    text: &'a str,
    dialect: &'a Dialect,
    dialects: &'a Dialects,
}

impl Commented<'_> {
    fn read(&self, text: &str) -> Draft {
        let file = File {
            path: self.path,
            source: &Source::new(text.as_bytes()),
            bytes: text.as_bytes(),
            dialect: self.dialect,
            dialects: self.dialects,
        };
        // Comments are the same at every level.
        draft(&file, Some(Level::Project))
    }

    /// The first comment that is read as meant.
    fn edit(&self, rule: &str, at: usize) -> Option<Edit> {
        let before = self.read(self.text);
        if before.ignores.has(rule, Span::at(at)) {
            return None;
        }
        // Findings between files are not among those of the file.
        let left = |draft: &Draft| {
            let found = draft.findings.iter().filter(|found| found.rule == rule);
            found.filter(|found| !draft.ignores.has(rule, found.span)).count()
        };
        for reach in [Reach::Line, Reach::Field, Reach::File] {
            let Some(place) = self.place(&before.parts, at, reach) else {
                continue;
            };
            let edit = self.comment(&before.parts, place, rule, reach);
            let after = self.read(&[&self.text[..place], &edit.text, &self.text[place..]].concat());
            let at = if place <= at { at + edit.text.len() } else { at };
            let is_read = after.ignores.has(rule, Span::at(at));
            let is_of_use = left(&before) == 0 || left(&after) < left(&before);
            if after.document.reading == before.document.reading && is_read && is_of_use {
                return Some(edit);
            }
        }
        None
    }

    fn comment(&self, parts: &Parts, place: usize, rule: &str, reach: Reach) -> Edit {
        let is_field = parts
            .frontmatter
            .is_some_and(|parts| (parts.yaml.start.index()..=parts.yaml.end.index()).contains(&place));
        let line = &self.text[place..];
        let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
        let newline = first_end(self.text);
        let order = if reach == Reach::File {
            " ignore-file["
        } else {
            " ignore["
        };
        let (before, after) = match (is_field, reach) {
            (true, _) => ([indent, "# "], ["]", newline]),
            (false, Reach::File) => ([newline, "<!-- "], ["] -->", newline]),
            (false, _) => ([" ", "<!-- "], ["]", " -->"]),
        };
        Edit {
            span: Span::at(place),
            text: [before[0], before[1], MARK, order, rule, after[0], after[1]].concat(),
        }
    }

    /// Where a comment that reaches a finding belongs.
    fn place(&self, parts: &Parts, at: usize, reach: Reach) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let fields = parts.frontmatter.map(|frontmatter| frontmatter.yaml);
        if reach == Reach::File {
            return Some(fields.map_or(bytes.len(), |fields| fields.start.index()));
        }
        let is_end = |byte: u8| matches!(byte, b'\n' | b'\r');
        let Some(fields) = fields.filter(|fields| fields.start.index() <= at && at < fields.end.index())
        else {
            let is_body = reach == Reach::Line && parts.body.start.index() <= at;
            let rest = bytes.get(at..).filter(|_| is_body)?;
            return Some(at + rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len()));
        };
        let mut line = at;
        loop {
            while line > fields.start.index() && !is_end(bytes[line - 1]) {
                line -= 1;
            }
            let first = bytes[line..].iter().find(|byte| **byte != b' ');
            match reach {
                Reach::Line => return (first == Some(&b'-')).then_some(line),
                // The line of a key.
                _ if bytes[line].is_ascii_alphanumeric() || matches!(bytes[line], b'"' | b'\'' | b'_') => {
                    return Some(line);
                }
                _ if line == fields.start.index() => return None,
                _ => line -= 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;

    use super::*;
    use crate::document::{Parsed, parse};

    fn read(path: &str, text: &str, dialects: &Dialects) -> Parsed {
        parse(path, text.as_bytes(), None, None, dialects).expect("the place has an owner")
    }

    /// The file with comments for all its findings of these rules, which are then suppressed.
    #[track_caller]
    fn check(path: &str, before: &str, rules: &[&str], after: &str) {
        let dialects = Dialects::embedded();
        let mut text = before.to_owned();
        let next = |text: &str| {
            let mut found = read(path, text, &dialects).document.diagnostics.into_iter();
            found.find(|found| rules.contains(&found.rule))
        };
        assert_ne!(next(&text), None, "it is found");
        while let Some(found) = next(&text) {
            let at = found.primary.place.span.start.index();
            let edit = suppress(path, text.as_bytes(), found.rule, at, None, &dialects);
            let edit = edit.expect("the dialect is known").expect("it can be suppressed");
            text.insert_str(edit.span.start.index(), &edit.text);
        }
        assert_eq!(text, after);
    }

    const PATH: &str = ".claude/agents/a.md";

    #[test]
    fn a_comment_covers_the_field() {
        let before = "---\nname: a\ndescription: D\nmodel: gpt-4o\ncolor: mauve\n---\nB\n";
        let after = "---\nname: a\ndescription: D\n# callsheet: ignore[foreign-model]\nmodel: gpt-4o\n\
            # callsheet: ignore[unknown-value]\ncolor: mauve\n---\nB\n";
        check(PATH, before, &["foreign-model", "unknown-value"], after);
        let windows = |text: &str| text.replace('\n', "\r\n");
        check(
            PATH,
            &windows(before),
            &["foreign-model", "unknown-value"],
            &windows(after),
        );
        let invalid = "---\nname: a\ndescription: D: E\ntools: Grepp\n---\nB\n";
        let after = "---\nname: a\n# callsheet: ignore[unquoted-value]\ndescription: D: E\n\
            # callsheet: ignore[unknown-tool]\ntools: Grepp\n---\nB\n";
        check(PATH, invalid, &["unknown-tool", "unquoted-value"], after);
    }

    #[test]
    fn a_comment_covers_the_item() {
        for indent in ["", "  "] {
            let file = |comment: &str| {
                [
                    "---\nname: a\ndescription: D\ntools:\n",
                    indent,
                    "- Read\n",
                    comment,
                    indent,
                    "- Grepp\n---\nB\n",
                ]
                .concat()
            };
            let comment = [indent, "# callsheet: ignore[unknown-tool]\n"].concat();
            check(PATH, &file(""), &["unknown-tool"], &file(&comment));
        }
    }

    #[test]
    fn a_comment_in_the_body_covers_its_line() {
        let key = ["AKIA", "Q3EGRIWMHVNL5EK7"].concat();
        let file = |comment: &str| {
            [
                "---\nname: a\ndescription: D\n---\nUse ",
                &key,
                comment,
                " here.\n",
            ]
            .concat()
        };
        let before = file("");
        let after = before.replace(" here.", " here. <!-- callsheet: ignore[secret] -->");
        check(PATH, &before, &["secret"], &after);
        // Code has no comments.
        let fence = |top: &str| {
            [
                "---\n",
                top,
                "name: a\ndescription: D\n---\n```\nUse ",
                &key,
                " here.\n```\n",
            ]
            .concat()
        };
        check(
            PATH,
            &fence(""),
            &["secret"],
            &fence("# callsheet: ignore-file[secret]\n"),
        );
    }

    #[test]
    fn a_comment_covers_the_file_where_nothing_less_does() {
        let after = "---\n# callsheet: ignore-file[missing-field]\nname: a\n---\nB\n";
        check(PATH, "---\nname: a\n---\nB\n", &["missing-field"], after);
        let fenced = "```\nB\n```\n";
        let after = [fenced, "\n<!-- callsheet: ignore-file[no-frontmatter] -->\n"].concat();
        check(PATH, fenced, &["no-frontmatter"], &after);
        let toml = "name = 'a'\ndeveloper_instructions = 'D'\n";
        let after = ["# callsheet: ignore-file[missing-field]\n", toml].concat();
        check(".codex/agents/a.toml", toml, &["missing-field"], &after);
    }

    #[test]
    fn some_findings_cannot_be_suppressed() {
        let dialects = Dialects::embedded();
        let edit = |bytes: &[u8], rule: &str| {
            let edit = suppress(PATH, bytes, rule, bytes.len(), None, &dialects);
            edit.expect("the dialect is known")
        };
        assert_ne!(edit(b"---\nname: a\n---\nB", "missing-field"), None);
        assert_eq!(edit(b"---\nname: a\n---\nB", "no-such-rule] x ["), None);
        assert_eq!(edit(b"---\nname: \xff\n---\nB", "missing-field"), None);
        // A comment would break them, or has no effect.
        for (path, text, dialect) in [
            (".claude/settings.json", "{\"agent\": \"gone\"}", "claude-code"),
            ("x/.mcp.json", "{}", "claude-code"),
            ("CLAUDE.md", "See @gone.md.", "claude-code"),
            ("../.cursor/rules/a.mdc", "Be kind.", "cursor"),
            (".codex/config.toml", "model = 5", "codex"),
        ] {
            let edit = suppress(
                path,
                text.as_bytes(),
                "missing-field",
                1,
                Some(dialect),
                &dialects,
            );
            assert_eq!(edit.expect("the dialect is known"), None, "{path}");
        }
        let edit = suppress(
            ".claude/agents/CLAUDE.md",
            b"---\nname: a\n---\nB",
            "missing-field",
            4,
            None,
            &dialects,
        );
        assert_ne!(edit.expect("the place has an owner"), None);
    }
}
