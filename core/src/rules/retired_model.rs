//! A model that its provider no longer serves.
//!
//! The agent fails when it is called, unless a service of another provider still has the model.
//!
//! ```yaml
//! model: claude-3-5-sonnet-20241022
//! ```
//!
//! Use a current model, or an alias that tracks the current model:
//!
//! ```yaml
//! model: sonnet
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::definition::Field;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::subject::Subject;
use crate::vocabulary::retired_model;

crate::diagnostic::rule! {
    name: "retired-model",
    severity: Warning,
    fix: Unsafe,
    found: file,
    evidence: "the providers' pages of deprecations, in the table of retired models",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if let Some((model, field)) = subject.model_id() {
        findings.extend(finding(subject, field, model));
    }
}

fn finding(subject: &Subject<'_>, field: &Field, model: &str) -> Option<Finding> {
    let retired = retired_model(model)?;
    let message = format!("model `{model}` was retired on {}", retired.since);
    let finding = Finding::new(&RULE, field.value_span, message).label("calls to it fail");
    let mut aliases = subject.dialect.model_aliases.iter();
    let alias = aliases.find(|alias| retired.begins.split('-').any(|part| part == **alias));
    let (instead, help) = match alias {
        Some(alias) => (&**alias, format!("use `{alias}`, which tracks the current model")),
        None if model.contains('/') => {
            return Some(finding.help(format!("use {}", retired.instead)));
        }
        None => (retired.instead, format!("use `{}`", retired.instead)),
    };
    Some(finding.help(help).fix(Fix {
        title: format!("Write `{instead}`"),
        safe: false,
        edits: vec![Edit {
            span: field.value_span,
            text: instead.to_string(),
        }],
    }))
}
