//! A field that the tool does not know.
//!
//! Tools silently ignore unknown fields. This is harmless for a remark, or for a field of another tool; but a limit set this way does
//! not apply here. Common remarks, such as `version` and `author`, are reported only where the tool refuses unknown fields.
//!
//! ```yaml
//! name: reviewer
//! description: Reviews changes. Use after each commit.
//! sandbox: strict
//! ```

use alloc::format;
use alloc::vec::Vec;

use super::misspelt_key::meant;
use crate::diagnostic::Finding;
use crate::dialect::Verdict;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "unknown-key",
    severity: Note,
    fix: None,
    found: file,
    evidence: "the dialect's table of keys; every measured loader silently ignores other keys",
}

/// Fields that people use only as remarks, and the one that `callsheet build` reads.
const REMARKS: &[&str] = &[
    "author",
    "authors",
    "callsheet",
    "category",
    "changelog",
    "created",
    "date",
    "domain",
    "emoji",
    "group",
    "homepage",
    "icon",
    "id",
    "keywords",
    "last_updated",
    "license",
    "maintainer",
    "metadata",
    "source",
    "tags",
    "title",
    "type",
    "updated",
    "url",
    "version",
    "vibe",
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let (id, verdict) = (&subject.dialect.id, subject.dialect.unknown_keys);
    let unknown = subject.definition.fields.iter().filter(|field| {
        let is_remark = verdict == Verdict::Fine && REMARKS.contains(&&*field.key);
        let is_other = is_remark || subject.dialect.other_keys.contains(&field.key);
        field.canonical.is_none() && !field.key.is_empty() && !is_other && meant(subject, field).is_none()
    });
    for field in unknown {
        let others = subject.dialects.of(subject.dialect.kind);
        let others = others.filter(|dialect| dialect.key(&field.key).is_some());
        let others: Vec<&str> = others.map(|dialect| &*dialect.id).collect();
        let message = format!("unknown field `{}` for {id}", field.key);
        let mut finding = Finding::new(&RULE, field.key_span, message).label("it has no effect");
        if verdict != Verdict::Fine {
            // Where unknown fields are refused, the file is lost.
            finding = finding
                .severity(verdict.into())
                .label(verdict.consequence(subject.dialect.kind));
        }
        if !others.is_empty() {
            finding = finding.note(format!("it is a field of {}", others.join(", ")));
        }
        findings.push(finding);
    }
}
