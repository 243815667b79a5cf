//! A key that the tool does not know.
//!
//! Tools pass over keys that they do not know without a word. A key in another spelling, or another tool's, then has no effect:
//! limits that it states do not hold.
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

use crate::closest::closest;
use crate::definition::Field;
use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::dialect::Dialect;
use crate::subject::Subject;

super::rule! {
    name: "unknown-key",
    severity: Warning,
    fix: Unsafe,
    evidence: "the dialect's table of keys; every measured loader ignores other keys in silence",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let unknown = |field: &&Field| field.canonical.is_none() && !field.key.is_empty();
    let fields = subject.definition.fields.iter();
    findings.extend(fields.filter(unknown).map(|field| finding(subject, field)));
}

fn finding(subject: &Subject<'_>, field: &Field) -> Finding {
    let (key, id) = (&field.key, &subject.dialect.id);
    let finding = Finding::new(
        &RULE,
        field.key_span,
        format!("{id} does not know the key `{key}`"),
    )
    .label("it has no effect");
    let spellings = subject.dialect.keys.iter().map(|known| &*known.spellings[0]);
    if let Some(meant) = closest(key, spellings) {
        let fix = Fix {
            title: format!("Write `{meant}`"),
            safe: false,
            edits: vec![Edit {
                span: field.key_span,
                text: meant.to_string(),
            }],
        };
        return finding.help(format!("did you mean `{meant}`?")).fix(fix);
    }
    let knows = |dialect: &&Dialect| dialect.key(key).is_some();
    let others = subject.dialects.iter().map(|dialect| &**dialect).filter(knows);
    let others: Vec<&str> = others.map(|dialect| &*dialect.id).collect();
    match others.as_slice() {
        [] => finding.severity(Severity::Note),
        others => finding
            .severity(Severity::Note)
            .help(format!("it is a key of {}", others.join(", "))),
    }
}
