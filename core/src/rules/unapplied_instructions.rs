//! Instructions that VS Code and Copilot on GitHub do not apply automatically.
//!
//! Without `applyTo`, VS Code uses instructions only if they are added by hand or fit the task by their `description`, and Copilot on GitHub
//! does not use them. Copilot CLI gives them to its agents for every task.
//!
//! ```yaml
//! applyTo: "**/*.ts"
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::span::Span;
use crate::yaml::Node;

crate::diagnostic::rule! {
    name: "unapplied-instructions",
    severity: Note,
    fix: None,
    found: between,
    evidence: "VS Code's documentation of custom instructions (2026-10): without `applyTo`, they are not applied automatically; measured with Copilot CLI 1.0.102",
}

/// The finding if none of these keys says when the instructions apply.
pub(crate) fn check(root: Option<&Node>, opening: Span, keys: &[String], findings: &mut Vec<Finding>) {
    let has = |key: &String| {
        let value = root.and_then(|root| root.get(key));
        value.is_some_and(|value| value.as_text().is_none_or(|text| !text.trim().is_empty()))
    };
    if let (false, Some(first)) = (keys.iter().any(has), keys.first()) {
        let message =
            format!("the instructions have no `{first}`, so VS Code applies them to no file by itself");
        findings.push(Finding::new(&RULE, opening, message));
    }
}
