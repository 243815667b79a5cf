//! An agent name that differs from the file name.
//!
//! Most tools use the `name` field, some the file name, and people look for a file with the agent's name. The same agent then has
//! several names, and a second one may be added under the name that seems free.
//!
//! Rename the file or the agent.

use alloc::format;
use alloc::vec::Vec;

use callsheet_schema::stem;

use crate::closest::alike;
use crate::diagnostic::{Finding, Severity};
use crate::dialect::Canonical;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "name-mismatch",
    severity: Note,
    fix: None,
    found: last,
    evidence: "Copilot, Kodelet and a port of Kode use the file name, Claude Code and most others the field; Kode's validator warns",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let Some(field) = subject.definition.field(Canonical::Name) else {
        return;
    };
    let stem = stem(subject.path);
    let stem = stem.strip_suffix(".agent").unwrap_or(stem);
    let name = &subject.definition.name;
    // Problems of the name itself come first.
    let reported = findings.iter().any(|found| found.span == field.value_span);
    // Ignore differences in case or separators.
    if alike(name, stem) || field.value_span.is_empty() || reported || name.contains(['/', '\n']) {
        return;
    }
    let message = format!("agent `{name}` is in a file named `{stem}`");
    let (severity, label) = if subject.dialect.by_file {
        (Severity::Warning, "some functions look for this file name")
    } else {
        (RULE.severity, "some tools use this, some the file name")
    };
    findings.push(
        Finding::new(&RULE, field.value_span, message)
            .severity(severity)
            .label(label)
            .help(format!("name the file `{name}`, or the agent `{stem}`")),
    );
}
