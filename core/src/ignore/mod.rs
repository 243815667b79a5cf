//! Comments that suppress findings of a file: `callsheet: ignore[rule]`.

mod comments;
mod directive;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

pub(crate) use comments::comments;

use crate::diagnostic::{Diagnostic, Finding};
use crate::limits::IGNORES;
use crate::rules::{self, unknown_rule, unused_ignore};
use crate::span::Span;

/// A rule whose findings a comment suppresses.
#[derive(Clone, Debug)]
pub(crate) struct Ignore {
    rule: String,
    /// Where the rule is named.
    name: Span,
    /// The lines it applies to; none for the whole file.
    lines: Option<Span>,
    used: bool,
}

/// The remaining findings, and the suppressed ones.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    pub(crate) kept: Vec<Finding>,
    pub(crate) suppressed: Vec<Finding>,
}

impl Settled {
    /// Adds others.
    pub(crate) fn extend(&mut self, other: Self) {
        self.kept.extend(other.kept);
        self.suppressed.extend(other.suppressed);
    }
}

/// The directives of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignores {
    ignores: Vec<Ignore>,
    /// Comments that could not be parsed.
    garbled: Vec<Span>,
}

impl Ignores {
    /// Whether further comments are ignored.
    fn is_full(&self) -> bool {
        self.ignores.len() + self.garbled.len() >= IGNORES
    }

    /// Splits findings into kept and suppressed, marking the comments used.
    pub(crate) fn settle(&mut self, findings: Vec<Finding>) -> Settled {
        if self.ignores.is_empty() {
            return Settled {
                kept: findings,
                ..Settled::default()
            };
        }
        let mut settled = Settled::default();
        for finding in findings {
            if self.use_for(&finding) {
                settled.suppressed.push(finding)
            } else {
                settled.kept.push(finding)
            }
        }
        settled
    }

    /// Whether a finding is suppressed. All comments that do so are used.
    fn use_for(&mut self, finding: &Finding) -> bool {
        let mut any = false;
        let about = |ignore: &&mut Ignore| ignore.is_about(finding.rule, finding.span);
        for ignore in self.ignores.iter_mut().filter(about) {
            ignore.used = true;
            any = true;
        }
        any
    }

    /// Whether a comment is about a rule here.
    pub(crate) fn has(&self, rule: &str, place: Span) -> bool {
        self.ignores.iter().any(|ignore| ignore.is_about(rule, place))
    }

    /// Whether a comment is unused so far; it may be for another dialect.
    pub(crate) fn has_unused(&self) -> bool {
        self.ignores.iter().any(Ignore::is_unused)
    }

    /// Problems of the comments themselves, once every finding is settled.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for ignore in &self.ignores {
            if !rules::is_known(&ignore.rule) {
                findings.push(unknown_rule::finding(&ignore.rule, ignore.name));
            } else if ignore.is_unused() {
                findings.push(unused_ignore::finding(
                    &ignore.rule,
                    ignore.name,
                    ignore.lines.is_none(),
                ));
            }
        }
        let garbled = self.garbled.iter();
        findings.extend(garbled.map(|comment| unused_ignore::garbled(*comment)));
        findings
    }

    /// Comments for rules between files, which only a catalog can apply; `stored` maps places to the stored file.
    pub(crate) fn between_files(self, stored: impl Fn(Span) -> Span) -> Vec<Ignore> {
        let mut ignores = self.ignores;
        ignores.retain(|ignore| rules::is_between_files(&ignore.rule));
        for ignore in &mut ignores {
            ignore.lines = ignore.lines.map(&stored);
        }
        ignores
    }
}

impl Ignore {
    fn new(rule: &str, name: Span, lines: Option<Span>) -> Self {
        Self {
            rule: rule.to_owned(),
            name,
            lines,
            used: false,
        }
    }

    /// One file cannot tell whether comments for rules between files, or for rules about comments, are used.
    fn is_unused(&self) -> bool {
        let rule = &*self.rule;
        let about_comments = [unused_ignore::RULE.name, unknown_rule::RULE.name];
        !self.used
            && rules::is_known(rule)
            && !rules::is_between_files(rule)
            && !about_comments.contains(&rule)
    }

    /// Whether it suppresses a finding of this rule that starts here.
    fn is_about(&self, rule: &str, span: Span) -> bool {
        let lines = self.lines;
        self.rule == rule && lines.is_none_or(|lines| lines.start <= span.start && span.start < lines.end)
    }
}

/// Whether one of the comments of its file suppresses a finding between files.
pub(crate) fn is_ignored(ignores: &[Ignore], found: &Diagnostic) -> bool {
    let span = found.primary.place.span;
    ignores.iter().any(|ignore| ignore.is_about(found.rule, span))
}

#[cfg(test)]
mod tests {
    use std::format;
    use std::string::String;
    use std::vec::Vec;

    use crate::dialect::{Dialects, Level};
    use crate::document::read;

    /// What kode reports, and what is suppressed, as `rule@line`.
    fn found(text: &str) -> (Vec<String>, Vec<String>) {
        let dialects = Dialects::embedded();
        let kode = dialects.get("kode").expect("it is built in");
        let path = ".claude/agents/a.md";
        let document = read(path, text.as_bytes(), Some(Level::Project), kode, &dialects);
        let name = |found: &crate::diagnostic::Diagnostic| {
            let place = &found.primary.place;
            let at = place.span.of(text);
            format!("{}@{}:{at}", found.rule, place.start.line)
        };
        let names = |found: &[crate::diagnostic::Diagnostic]| found.iter().map(name).collect();
        (names(&document.diagnostics), names(&document.suppressed))
    }

    #[track_caller]
    fn check(text: &str, kept: &[&str], suppressed: &[&str]) {
        let expected = |names: &[&str]| names.iter().map(|name| String::from(*name)).collect::<Vec<_>>();
        assert_eq!(found(text), (expected(kept), expected(suppressed)), "{text}");
    }

    /// A file with these lines among its keys, and this body.
    fn file(keys: &str, body: &str) -> String {
        format!("---\nname: a\ndescription: D\n{keys}---\n{body}\n")
    }

    #[test]
    fn comments_apply_to_lines_and_fields() {
        check(&file("room: 1\n", "B"), &["unknown-key@4:room"], &[]);
        for keys in [
            "room: 1 # callsheet: ignore[unknown-key]\n",
            "room: 1 # callsheet: ignore[ unknown-key , ] for our launcher\n",
            "room: '#' #callsheet:ignore[unknown-key]\n",
        ] {
            check(&file(keys, "B"), &[], &["unknown-key@4:room"]);
        }
        let above = "# callsheet: ignore[unknown-key]\n\n# another\nroom: 1\n";
        check(&file(above, "B"), &[], &["unknown-key@7:room"]);
        let next = "# callsheet: ignore[unknown-key]\nroom: 1\neffort: high\n";
        check(
            &file(next, "B"),
            &["unknown-key@6:effort"],
            &["unknown-key@5:room"],
        );
    }

    #[test]
    fn text_is_not_a_comment() {
        for keys in [
            "room: '# callsheet: ignore[unknown-key]'\n",
            "room: 1#callsheet:ignore[unknown-key]\n",
            "room: |\n  # callsheet: ignore[unknown-key]\n",
            "room: >\n  a # callsheet: ignore[unknown-key]\n",
        ] {
            check(&file(keys, "B"), &["unknown-key@4:room"], &[]);
        }
        let code = "```\n<!-- callsheet: ignore[unknown-key] -->\n```\n\n    <!-- callsheet: x -->\n\n`<!-- callsheet: x -->`";
        check(&file("", code), &[], &[]);
    }

    #[test]
    fn comments_apply_in_broken_frontmatter() {
        let colon = "room: a: b # callsheet: ignore[unquoted-value, unknown-key]\n";
        check(
            &file(colon, "B"),
            &[],
            &["unknown-key@4:room", "unquoted-value@4::"],
        );
        let (kept, suppressed) = found(&file(
            "# callsheet: ignore[invalid-yaml]\ntools: [a\n  b: {\n# callsheet: ignore-file[wrong-type]\n",
            "B",
        ));
        assert!(
            !kept.iter().any(|name| name.contains("callsheet")),
            "{kept:?} {suppressed:?}"
        );
    }

    #[test]
    fn comments_apply_to_whole_files() {
        let text = "---\nname: a\n# callsheet: ignore-file[missing-field, empty-prompt]\n---\n";
        check(text, &[], &["missing-field@1:---", "empty-prompt@1:---"]);
        let body = "---\nname: a\n---\nB <!-- callsheet: ignore-file[missing-field] -->\n";
        check(body, &[], &["missing-field@1:---"]);
    }

    #[test]
    fn unused_comments_are_reported() {
        check(
            &file("# callsheet: ignore[unknown-key, unkown-key]\nmodel: opus\n", "B"),
            &["unused-ignore@4:unknown-key", "unknown-rule@4:unkown-key"],
            &[],
        );
        for garbled in [
            "ignore",
            "ignore[]",
            "ignore [unknown-key]",
            "ingore[unknown-key]",
            "",
        ] {
            let keys = format!("# callsheet: {garbled}\n");
            let name = format!("unused-ignore@4:callsheet: {garbled}");
            check(&file(&keys, "B"), &[name.trim_end()], &[]);
        }
        let last = "# callsheet: ignore[unknown-key]\n";
        check(
            &file(&format!("room: 1\n{last}"), "B"),
            &["unknown-key@4:room", "unused-ignore@5:unknown-key"],
            &[],
        );
        check(
            &file("model: opus # callsheet: ignore[shadowed]\n", "B"),
            &[],
            &[],
        );
        let own = "# callsheet: ignore-file[unused-ignore]\nmodel: opus # callsheet: ignore[unknown-key]\n";
        check(&file(own, "B"), &[], &["unused-ignore@5:unknown-key"]);
    }

    #[test]
    fn comments_used_by_another_dialect_count_as_used() {
        // Kode knows the key, Neovate does not.
        check(
            &file("model_name: x # callsheet: ignore[unknown-key]\n", "B"),
            &[],
            &[],
        );
    }

    #[test]
    fn the_number_of_comments_is_limited() {
        let names = "x,".repeat(crate::limits::IGNORES + 9);
        let (kept, _) = found(&file(&format!("# callsheet: ignore[{names}]\n"), "B"));
        assert_eq!(kept.len(), crate::limits::IGNORES);
    }
}
