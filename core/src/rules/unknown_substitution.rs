//! A variable that the tool does not replace.
//!
//! Claude Code replaces `$ARGUMENTS`, `$0`, the names of declared arguments, and a few variables like `${CLAUDE_SKILL_DIR}` before the
//! model sees a skill or a command. It leaves other names as they are, and `${CLAUDE_SKILL_DIR}` in a command. In code, a name that
//! resembles none of them may be a variable of the shell, and is not reported.
//!
//! ```text
//! Run ${CLAUDE_SKILL_DIRECTORY}/check.sh
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::markdown::unread;
use crate::span::Span;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "unknown-substitution",
    severity: Warning,
    fix: Unsafe,
    found: skill,
    evidence: "Claude Code documentation (2026-08); commands measured with 2.1.330",
}

/// The most that are reported of one file.
const MOST: usize = 20;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let dialect = subject.dialect;
    let Some(prefix) = &dialect.variable_prefix else {
        return;
    };
    let (body, start) = (subject.body(), subject.parts.body.start.index());
    let begins = ["${", prefix].concat();
    let found = body.match_indices(&*begins).filter_map(|(at, _)| {
        let rest = &body[at + "${".len()..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = &rest[..rest.find(|c| !is_part(c))?];
        let is_name = rest[name.len()..].starts_with('}');
        let span = Span::new(start + at + "${".len(), start + at + "${".len() + name.len());
        is_name.then_some((name, span))
    });
    let is_known = |name: &str| dialect.variables.iter().any(|known| known == name);
    let mut found = found.filter(|(name, _)| !is_known(name)).peekable();
    if found.peek().is_none() {
        return;
    }
    let code = unread(subject.text, subject.parts.body);
    let is_in_code = |span: Span| {
        let next = code.partition_point(|code| code.end <= span.start);
        code.get(next).is_some_and(|code| code.start <= span.start)
    };
    for (name, span) in found.take(MOST) {
        let message = format!("{} does not replace `${{{name}}}`", dialect.id);
        let finding = Finding::new(&RULE, span, message).label("the model sees it as it is");
        let known = || dialect.variables.iter().map(|known| &**known);
        let meant = closest(name, known()).or_else(|| known().find(|known| name.starts_with(known)));
        // The shell may know it.
        if meant.is_none() && is_in_code(span) {
            continue;
        }
        findings.push(match meant {
            Some(meant) => finding.help(format!("did you mean `${{{meant}}}`?")).fix(Fix {
                title: format!("Write `{meant}`"),
                safe: false,
                edits: vec![Edit {
                    span,
                    text: meant.to_string(),
                }],
            }),
            None => finding.note(format!("it replaces {}", dialect.variables.join(", "))),
        });
    }
}
