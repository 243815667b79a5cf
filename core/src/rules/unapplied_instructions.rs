//! Instructions that apply to no file by themselves.
//!
//! Without `applyTo`, VS Code uses instructions only if they are added by hand or fit the task by their `description`, and Copilot on GitHub
//! does not use them.
//!
//! ```yaml
//! applyTo: "**/*.ts"
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::frontmatter::split;
use crate::span::Span;
use crate::yaml;

crate::diagnostic::rule! {
    name: "unapplied-instructions",
    severity: Note,
    fix: None,
    found: between,
    evidence: "VS Code's documentation of custom instructions (2026-10): without `applyTo`, they are not applied automatically",
}

/// The finding if none of these keys says when the instructions apply. Frontmatter that cannot be read says nothing.
pub(crate) fn check(text: &str, keys: &[String], findings: &mut Vec<Finding>) {
    let frontmatter = split(text, 0).frontmatter;
    let root = match &frontmatter {
        Some(parts) => match yaml::read(parts.yaml.of(text), parts.yaml.start.index()) {
            Ok(document) => document.root,
            Err(_) => return,
        },
        None => None,
    };
    let has = |key: &String| {
        let value = root.as_ref().and_then(|root| root.get(key));
        value.is_some_and(|value| value.as_text().is_none_or(|text| !text.trim().is_empty()))
    };
    if let (false, Some(first)) = (keys.iter().any(has), keys.first()) {
        let message = format!("the instructions have no `{first}`, so they apply to no file by themselves");
        let span = frontmatter.map_or(Span::at(0), |parts| parts.opening);
        findings.push(Finding::new(&RULE, span, message));
    }
}
