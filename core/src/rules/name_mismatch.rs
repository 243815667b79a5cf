//! A name that is not the file's.
//!
//! Most tools go by the `name` key, some by the file's name, and people look for the file of a name. The same agent is then called
//! differently, and a second one may be added under the name that seems free.
//!
//! Give the file the name of the agent.

use alloc::format;
use alloc::vec::Vec;

use crate::closest::alike;
use crate::diagnostic::Finding;
use crate::dialect::Canonical;
use crate::places::stem;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "name-mismatch",
    severity: Note,
    fix: None,
    found: last,
    evidence: "Copilot, Kodelet and a port of Kode go by the file, Claude Code and most others by the key; Kode's validator warns",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(field) = subject.definition.field(Canonical::Name) else {
        return;
    };
    let stem = stem(subject.path);
    let stem = stem.strip_suffix(".agent").unwrap_or(stem);
    let name = &subject.definition.name;
    // What is wrong with the name itself comes first.
    let reported = findings.iter().any(|found| found.span == field.value_span);
    // Who writes a name in another way means the file all the same.
    if alike(name, stem) || field.value_span.is_empty() || reported || name.contains(['/', '\n']) {
        return;
    }
    let message = format!("`{name}` stands in a file called `{stem}`");
    findings.push(
        Finding::new(&RULE, field.value_span, message)
            .label("some tools go by this, some by the file")
            .help(format!("call the file `{name}`, or the agent `{stem}`")),
    );
}
