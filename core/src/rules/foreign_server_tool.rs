//! A tool of an MCP server in another product's spelling.
//!
//! Claude Code writes `mcp__server__tool`, Gemini CLI `mcp_server_tool`, Copilot `server/tool`, Kiro `@server/tool`. Other products do
//! not recognize such a name.
//!
//! ```yaml
//! tools: Read, github/*
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! tools: Read, mcp__github__*
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::phrase::listed;
use crate::subject::Subject;
use crate::tool_lists::{Entry, Meaning, ToolList};

crate::diagnostic::rule! {
    name: "foreign-server-tool",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "the spelling of each product, in the table of tools",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(subject.tools.iter().filter_map(finding));
}

fn finding(list: &ToolList<'_>) -> Option<Finding> {
    let mut entries: Vec<&Entry<'_>> = Vec::new();
    let mut edits: Vec<Edit> = Vec::new();
    for entry in &list.entries {
        if let Meaning::ForeignServer(spelling) = &entry.meaning {
            entries.push(entry);
            edits.extend(spelling.as_ref().and_then(|spelling| entry.renamed(spelling)));
        }
    }
    let first = entries.first()?;
    let names: Vec<&str> = entries.iter().map(|entry| &*entry.rule.tool).collect();
    let own = list.vocabulary.dialect;
    let message = match names.len() {
        1 => format!("{} is not {own}'s spelling of an MCP tool", listed(&names)),
        _ => format!("{} are not {own}'s spellings of MCP tools", listed(&names)),
    };
    let mut finding = Finding::new(&RULE, first.rule.span, message)
        .severity(list.severity())
        .label(list.consequence());
    let written: Vec<&str> = edits.iter().map(|edit| &*edit.text).collect();
    if written.is_empty() {
        return Some(finding);
    }
    let title: String = format!("Write {}", listed(&written));
    finding = finding.help(format!("write {}", listed(&written)));
    Some(finding.fix(Fix {
        title,
        safe: false,
        edits,
    }))
}
