//! A field in a spelling that the tool does not read.
//!
//! Field names are exact, including case, hyphens and underscores, and tools spell the same field differently. A misspelled field has
//! no effect: the limits it sets do not apply.
//!
//! ```yaml
//! allowed-tools: Read
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! tools: Read
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::missing_field;
use crate::closest::{alike, distance};
use crate::definition::Field;
use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::dialect::{Key, Shape, ToolText, Verdict};
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "misspelt-key",
    severity: Warning,
    fix: Safe,
    found: file,
    evidence: "the dialects' tables of keys; every measured loader distinguishes case",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let fields = subject.definition.fields.iter();
    let is_unknown =
        |field: &&Field| field.canonical.is_none() && !subject.dialect.other_keys.contains(&field.key);
    for field in fields.filter(is_unknown) {
        let Some(key) = meant(subject, field) else {
            continue;
        };
        let spelling = &key.spellings[0];
        let missing = format!("`{spelling}` is missing");
        let reported = findings
            .iter_mut()
            .find(|found| found.rule == missing_field::RULE.name && found.message == missing);
        let label = format!("{} spells it `{spelling}`", subject.dialect.id);
        let may_be = !is_there(subject, key, field) && fits(subject, key, field);
        let fix = may_be.then(|| rename(field, spelling));
        match reported {
            // A missing field and its misspelling are one mistake.
            Some(finding) => {
                finding.span = field.key_span;
                finding.label = label;
                finding.fixes.extend(fix.filter(|_| has_value(subject, field)));
            }
            None => {
                let message = format!("{} does not read `{}`", subject.dialect.id, field.key);
                let mut finding = Finding::new(&RULE, field.key_span, message).label(label);
                if subject.dialect.unknown_keys == Verdict::Dropped {
                    finding.severity = Severity::Error;
                }
                finding.fixes.extend(fix);
                findings.push(finding);
            }
        }
    }
}

/// The field that an unknown one probably means: another spelling of it or, unless that field is set as well, another dialect's
/// name for it or the nearest name.
pub(super) fn meant<'a>(subject: &Subject<'a>, field: &Field) -> Option<&'a Key> {
    let keys = &subject.dialect.keys;
    let spells = |key: &Key| key.spellings.iter().any(|known| alike(known, &field.key));
    if alike(&field.key, "") {
        return None;
    }
    if let Some(own) = keys.iter().find(|key| spells(key)) {
        return Some(own);
    }
    let mut elsewhere = subject.dialects.iter().flat_map(|dialect| &dialect.keys);
    let key = match elsewhere.find(|key| spells(key)) {
        Some(known) => subject.dialect.of_field(known.field),
        None if OTHERS.contains(&&*field.key) => None,
        None => {
            let far = |key: &&Key| distance(&field.key, &key.spellings[0]).unwrap_or(usize::MAX);
            let nearest = keys.iter().min_by_key(far);
            nearest.filter(|key| far(key) < usize::MAX)
        }
    };
    key.filter(|key| !is_there(subject, key, field))
}

/// Fields of prompts and chat modes, which are not agents. They resemble agent fields, but mean something else.
const OTHERS: &[&str] = &["agent", "mode", "modes"];

/// Whether another entry of the file is this field, or a spelling of it.
fn is_there(subject: &Subject<'_>, key: &Key, but: &Field) -> bool {
    let others = subject.definition.fields.iter();
    let mut others = others.filter(|other| other.key_span != but.key_span);
    others.any(|other| other.canonical == Some(key.field) || alike(&other.key, &but.key))
}

/// Whether the value is a list where only lists of tools are accepted.
fn fits(subject: &Subject<'_>, key: &Key, field: &Field) -> bool {
    let Shape::Tools(shape) = &key.shape else {
        return true;
    };
    let value = subject.root.and_then(|root| root.get(&field.key));
    shape.text != ToolText::Never || value.is_none_or(|value| value.items().is_some())
}

/// Whether it would count as set if it were spelled right.
fn has_value(subject: &Subject<'_>, field: &Field) -> bool {
    let value = field.value_span.of(subject.text).trim();
    !matches!(value, "" | "~" | "null" | "Null" | "NULL" | "''" | "\"\"")
}

fn rename(field: &Field, spelling: &str) -> Fix {
    Fix {
        title: format!("Write `{spelling}`"),
        // Another case or separator keeps the meaning; another word may not.
        safe: alike(&field.key, spelling),
        edits: vec![Edit {
            span: field.key_span,
            text: spelling.to_string(),
        }],
    }
}
