//! A tool that is both allowed and denied.
//!
//! Denying wins: the agent does not have the tool.
//!
//! ```yaml
//! tools: Read, Bash
//! disallowedTools: Bash
//! ```
//!
//! Remove it from one of the lists.

use alloc::format;
use alloc::vec::Vec;

use crate::definition::ToolRule;
use crate::diagnostic::Finding;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "allowed-and-denied",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "Claude Code documentation; Kode and Neovate deny last",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let [allowed, denied] = subject.tools.as_slice() else {
        return;
    };
    for entry in &allowed.entries {
        let same = |other: &&ToolRule| other.tool == entry.rule.tool && other.specifier.is_none();
        if let Some(other) = denied.entries.iter().map(|entry| entry.rule).find(same) {
            let message = format!("`{}` is both allowed and denied", entry.rule.tool);
            let finding = Finding::new(&RULE, entry.rule.span, message)
                .label("the agent does not have it")
                .related(other.span, "denied here")
                .help("remove it from one of the lists");
            findings.push(finding);
        }
    }
}
