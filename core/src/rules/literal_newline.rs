//! A literal `\n` in text without escape sequences.
//!
//! Only double-quoted text has escape sequences. Elsewhere most readers pass the model a backslash and an `n` instead of a line break.
//!
//! ```yaml
//! description: Reviews changes.\n\n<example>review this</example>
//! ```
//!
//! Write instead:
//!
//! ```yaml
//! description: |-
//!   Reviews changes.
//!
//!   <example>review this</example>
//! ```

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::diagnostic::{Edit, Finding, Fix};
use crate::span::Span;
use crate::subject::Subject;
use crate::yaml::Style;

crate::diagnostic::rule! {
    name: "literal-newline",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "YAML 1.2, section 5.7; Kode's loaders and Claude Code 2.1.332 turn those of agents' descriptions into line ends, the other measured ones do not",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for (key, field, node) in subject.known() {
        let escapes = !matches!(node.style(), Some(Style::Plain | Style::SingleQuoted));
        if !key.is_prose() || key.unescapes || escapes {
            continue;
        }
        let Some(at) = meant(&field.value) else { continue };
        let start = field.value_span.start.index() + at;
        let message = format!("`{}` has a literal `\\n` instead of a line break", field.key);
        let mut finding = Finding::new(&RULE, Span::new(start, start + 2), message)
            .label("only double quotes have escapes");
        if !key.single_line && !field.value.contains(['\n', '\r']) {
            finding.fixes.push(Fix {
                title: "Use double quotes".to_string(),
                // Readers that accept only one line then drop the agent.
                safe: false,
                edits: vec![Edit {
                    span: field.value_span,
                    text: double_quoted(node.as_text().unwrap_or_default()),
                }],
            });
        }
        findings.push(finding);
    }
}

/// The first one that is not part of a path: those have letters on both sides.
fn meant(text: &str) -> Option<usize> {
    let mut found = text.match_indices("\\n");
    let is_meant = |(at, _): &(usize, &str)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + 2..].chars().next();
        let inside = before.is_some_and(|c| c.is_alphanumeric() || c == '\\' || c == ':')
            && after.is_some_and(char::is_lowercase);
        !inside
    };
    found.find(is_meant).map(|(at, _)| at)
}

fn double_quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace("\\\\n", "\\n")
        .replace('"', "\\\"");
    format!("\"{escaped}\"")
}
