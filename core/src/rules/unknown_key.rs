//! A key that the tool does not know.
//!
//! Tools pass over keys that they do not know without a word. That does no harm where the key is a remark, or is meant for
//! another tool; but a limit that it states does not hold here.
//!
//! ```yaml
//! name: reviewer
//! description: Reviews changes. Use after each commit.
//! audience: maintainers
//! ```

use alloc::format;
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::misspelt_key::meant;
use crate::definition::Field;
use crate::diagnostic::Finding;
use crate::dialect::{Dialect, Verdict};
use crate::subject::Subject;

super::rule! {
    name: "unknown-key",
    severity: Note,
    fix: None,
    evidence: "the dialect's table of keys; every measured loader ignores other keys in silence",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let id = &subject.dialect.id;
    let mut nobodys: Vec<&Field> = Vec::new();
    for field in &subject.definition.fields {
        if field.canonical.is_some() || field.key.is_empty() || meant(subject, field).is_some() {
            continue;
        }
        let knows = |dialect: &&Rc<Dialect>| dialect.key(&field.key).is_some();
        let others = subject.dialects.iter().filter(knows);
        let others: Vec<&str> = others.map(|dialect| &*dialect.id).collect();
        if others.is_empty() {
            nobodys.push(field);
            continue;
        }
        let message = format!("{id} does not know the key `{}`", field.key);
        let finding = Finding::new(&RULE, field.key_span, message)
            .label("it has no effect")
            .help(format!("it is a key of {}", others.join(", ")));
        findings.push(judged(subject.dialect, finding));
    }
    findings.extend(together(id, &nobodys).map(|finding| judged(subject.dialect, finding)));
}

/// Where other keys are not taken, the agent is lost.
fn judged(dialect: &Dialect, finding: Finding) -> Finding {
    match dialect.unknown_keys {
        Verdict::Fine => finding,
        verdict => finding.severity(verdict.severity()).label(verdict.consequence()),
    }
}

/// Keys of no tool are remarks, and often many: one finding is enough for all of them.
fn together(id: &str, fields: &[&Field]) -> Option<Finding> {
    let (first, rest) = fields.split_first()?;
    let names: Vec<&str> = fields.iter().map(|field| &*field.key).collect();
    let (keys, label) = match rest {
        [] => ("key", "it has no effect"),
        _ => ("keys", "they have no effect"),
    };
    let message = format!("{id} does not know the {keys} `{}`", names.join("`, `"));
    let finding = Finding::new(&RULE, first.key_span, message).label(label);
    Some(
        rest.iter()
            .fold(finding, |finding, field| finding.related(field.key_span, "")),
    )
}
