//! Tools that change files, in an agent that only plans.
//!
//! In the permission mode `plan`, nothing is changed. Tools that change files are offered to the agent anyway, and calls to them fail.
//!
//! ```yaml
//! tools: Read, Edit
//! permissionMode: plan
//! ```
//!
//! Remove the tools, or choose another mode.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Canonical;
use crate::phrase::listed;
use crate::subject::Subject;
use crate::tool_lists::Meaning;
use crate::vocabulary::Rights;

crate::diagnostic::rule! {
    name: "plan-mode-tools",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "Claude Code documentation of permission modes",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(finding(subject));
}

fn finding(subject: &Subject<'_>) -> Option<Finding> {
    let mode = subject.definition.permission_mode.as_deref();
    let field = subject
        .definition
        .field(Canonical::PermissionMode)
        .filter(|_| mode == Some("plan"))?;
    let list = subject.tools.iter().find(|list| !list.denied)?;
    let changing = Rights::WRITE.closed();
    let changes = list
        .entries
        .iter()
        .filter(|entry| matches!(entry.meaning, Meaning::Known(tool) if tool.rights.meets(changing)));
    let changes: Vec<_> = changes.collect();
    let names: Vec<&str> = changes.iter().map(|entry| &*entry.rule.tool).collect();
    let first = changes.first()?;
    let message = format!("{} cannot be used in `plan` mode", listed(&names));
    let finding = Finding::new(&RULE, first.rule.span, message)
        .label("this mode changes nothing")
        .related(field.value_span, "the mode");
    Some(finding)
}
