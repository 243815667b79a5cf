//! A variable that the tool does not replace.
//!
//! Claude Code replaces `$ARGUMENTS`, `$0`, the names of declared arguments, and a few variables like `${CLAUDE_SKILL_DIR}` before the
//! model sees a skill or a command. It leaves other names as they are, and `${CLAUDE_SKILL_DIR}` in a command. In code, a name that
//! resembles none of them may be a variable of the shell, and is not reported.
//!
//! Outside of code, the rule also finds `$name` in a file that declares other arguments, the arguments as another tool spells them, such as
//! `{{args}}` in a command of OpenCode, and misspelt variables of prompt files, such as `${fileBasenam}`.
//!
//! ```text
//! Run ${CLAUDE_SKILL_DIRECTORY}/check.sh
//! ```

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::dialect::{Canonical, Dialect, Kind};
use crate::markdown::unread;
use crate::span::Span;
use crate::subject::Subject;
use crate::yaml::Node;

crate::diagnostic::rule! {
    name: "unknown-substitution",
    severity: Warning,
    fix: Unsafe,
    found: skill,
    evidence: "Claude Code documentation (2026-08); commands measured with 2.1.330; documentation of Gemini CLI, OpenCode and VS Code (2026-10)",
}

/// The most that are reported of one file.
const MOST: usize = 20;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let dialect = subject.dialect;
    let mut found: Vec<Found> = Vec::new();
    let mut may_be_code = Vec::new();
    for (name, span) in braced(subject) {
        let is_closed = subject.text[span.end.index()..].starts_with('}');
        match &dialect.variable_prefix {
            Some(prefix) if is_closed && name.starts_with(&**prefix) => {
                if !dialect.variables.iter().any(|known| known == name) {
                    found.push(variable(dialect, name, span));
                }
            }
            Some(_) => {}
            None => may_be_code.extend(misspelt(subject, name, span)),
        }
    }
    may_be_code.extend(foreign(subject));
    let declared = declared(subject);
    let undeclared = undeclared(subject, &declared);
    if found.is_empty() && may_be_code.is_empty() && undeclared.is_empty() {
        return;
    }
    let code = unread(subject.text, subject.parts.body);
    let is_in_code = |span: Span| {
        let next = code.partition_point(|code| code.end <= span.start);
        code.get(next).is_some_and(|code| code.start <= span.start)
    };
    // The shell may know it.
    found.retain(|found| found.meant.is_some() || !is_in_code(found.span));
    may_be_code.retain(|found| !is_in_code(found.span));
    found.extend(may_be_code);
    let undeclared = undeclared.into_iter().filter(|(_, span)| !is_in_code(*span));
    found.extend(
        undeclared
            .take(MOST)
            .map(|(name, span)| argument(name, span, &declared)),
    );
    findings.extend(
        found
            .into_iter()
            .take(MOST)
            .map(|found| found.finding(&dialect.id)),
    );
}

/// Something that the tool does not replace.
struct Found {
    span: Span,
    /// As it is written, with its marks.
    written: String,
    /// What is meant, with its marks, and what to write in place of the span.
    meant: Option<(String, String)>,
    /// What the tool replaces.
    note: String,
}

impl Found {
    fn finding(self, id: &str) -> Finding {
        let message = format!("{id} does not replace `{}`", self.written);
        let finding = Finding::new(&RULE, self.span, message).label("the model sees it as it is");
        let Some((meant, text)) = self.meant else {
            return finding.note(self.note);
        };
        finding.help(format!("did you mean `{meant}`?")).fix(Fix {
            title: format!("Write `{text}`"),
            safe: false,
            edits: vec![Edit {
                span: self.span,
                text,
            }],
        })
    }
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The names after `${` up to a brace or a colon, and where they are.
fn braced<'a>(subject: &Subject<'a>) -> impl Iterator<Item = (&'a str, Span)> {
    let (body, start) = (subject.body(), subject.parts.body.start.index());
    body.match_indices("${").filter_map(move |(at, mark)| {
        let rest = &body[at + mark.len()..];
        let name = &rest[..rest.find(|c| !is_part(c))?];
        let at = start + at + mark.len();
        let is_name = rest[name.len()..].starts_with(['}', ':']);
        is_name.then(|| (name, Span::new(at, at + name.len())))
    })
}

/// A name with the tool's prefix that is none of its variables.
fn variable(dialect: &Dialect, name: &str, span: Span) -> Found {
    let known = || dialect.variables.iter().map(|known| &**known);
    let meant = closest(name, known()).or_else(|| known().find(|known| name.starts_with(known)));
    Found {
        span,
        written: format!("${{{name}}}"),
        meant: meant.map(|meant| (format!("${{{meant}}}"), meant.to_string())),
        note: format!("it replaces {}", dialect.variables.join(", ")),
    }
}

/// A name that resembles a variable of a tool whose variables have no prefix. Any other may be text.
fn misspelt(subject: &Subject<'_>, name: &str, span: Span) -> Option<Found> {
    let dialect = subject.dialect;
    let end = &subject.text[span.end.index()..];
    let asked = dialect
        .call
        .asked
        .as_ref()
        .map(|[open, _]| open.trim_matches(['$', '{', ':']));
    let variables = || dialect.variables.iter().map(|known| &**known);
    let meant = if end.starts_with(':') {
        closest(name, asked.into_iter())
    } else {
        closest(name, variables())
    };
    let meant = meant.filter(|meant| *meant != name)?;
    let after = if end.starts_with(':') { ":" } else { "}" };
    Some(Found {
        span,
        written: format!("${{{name}{after}"),
        meant: Some((format!("${{{meant}{after}"), meant.to_string())),
        note: String::new(),
    })
}

/// The arguments that a file declares.
fn declared<'a>(subject: &Subject<'a>) -> Vec<&'a str> {
    let field = subject.definition.field(Canonical::Arguments);
    let node = field
        .filter(|_| subject.dialect.call.names)
        .and_then(|field| subject.node(field));
    let items = node.and_then(Node::items).unwrap_or_default().iter();
    let texts = items.chain(node).filter_map(Node::as_text);
    texts.flat_map(str::split_whitespace).collect()
}

/// Other names after `$`, and where they are, if a file declares any.
fn undeclared<'a>(subject: &Subject<'a>, declared: &[&str]) -> Vec<(&'a str, Span)> {
    if declared.is_empty() {
        return Vec::new();
    }
    let known: BTreeSet<&str> = declared.iter().copied().collect();
    let (body, start) = (subject.body(), subject.parts.body.start.index());
    let found = body.match_indices('$').filter_map(|(at, _)| {
        let rest = &body[at + 1..];
        let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let is_apart = !body[..at].ends_with(|c| is_part(c) || matches!(c, '\\' | '$'));
        // Variables of the environment have capitals.
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase()) && !known.contains(name);
        let at = start + at + 1;
        (is_apart && is_name).then(|| (name, Span::new(at, at + name.len())))
    });
    found.collect()
}

fn argument(name: &str, span: Span, declared: &[&str]) -> Found {
    let meant = closest(name, declared.iter().copied());
    Found {
        span,
        written: format!("${name}"),
        meant: meant.map(|meant| (format!("${meant}"), meant.to_string())),
        note: format!("the file declares {}", declared.join(", ")),
    }
}

/// The arguments as other tools spell them.
fn foreign(subject: &Subject<'_>) -> Vec<Found> {
    let Some(own) = &subject.dialect.call.arguments else {
        return Vec::new();
    };
    let mut spellings: Vec<&str> = Vec::new();
    for other in subject.dialects.of(Kind::Command) {
        let other = other.call.arguments.as_deref();
        spellings.extend(other.filter(|other| other != own && !spellings.contains(other)));
    }
    let (body, start) = (subject.body(), subject.parts.body.start.index());
    let mut found = Vec::new();
    for spelling in spellings {
        for (at, _) in body.match_indices(spelling) {
            let after = &body[at + spelling.len()..];
            // A single argument has no equivalent.
            let is_single = after.starts_with('[');
            if !spelling.ends_with('}') && after.starts_with(is_part) {
                continue;
            }
            found.push(Found {
                span: Span::new(start + at, start + at + spelling.len()),
                written: spelling.to_string(),
                meant: (!is_single).then(|| (own.clone(), own.clone())),
                note: format!("it replaces {own}"),
            });
        }
    }
    found
}
