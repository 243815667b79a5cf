//! A model alias that the tool does not know.
//!
//! Model aliases differ between products. They are exact in most: only Claude Code reads `Sonnet` as `sonnet`. A name that is neither an alias nor a model id
//! resolves to an unintended model, or to none.
//!
//! ```yaml
//! model: sonet
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! model: sonnet
//! ```

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use crate::closest::closest;
use crate::diagnostic::{Edit, Finding, Fix};
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "unknown-model",
    severity: Warning,
    fix: Safe,
    found: file,
    evidence: "the dialect's table of aliases; upper case measured with Claude Code 2.1.332",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(finding(subject));
}

fn finding(subject: &Subject<'_>) -> Option<Finding> {
    let (model, field) = subject.model_id()?;
    let dialect = subject.dialect;
    // Ids have digits or parts; anything else is meant as an alias.
    if !model.chars().all(|c| c.is_ascii_alphabetic()) {
        return None;
    }
    let aliases = || {
        dialect
            .model_aliases
            .iter()
            .map(|alias| &**alias)
            .chain(["inherit"])
    };
    let meant = closest(model, aliases());
    let same = aliases().find(|alias| alias.eq_ignore_ascii_case(model));
    if same.is_some() && dialect.any_case_models {
        return None;
    }
    if dialect.model_aliases.is_empty() || same.or(meant).is_none() && dialect.any_model {
        return None;
    }
    let message = format!("{} has no model `{model}`", dialect.id);
    let finding = Finding::new(&RULE, field.value_span, message);
    let Some(meant) = same.or(meant) else {
        let known = dialect.model_aliases.join(", ");
        return Some(finding.help(format!("use {known}, inherit, or a model id")));
    };
    let fix = Fix {
        title: format!("Write `{meant}`"),
        safe: same.is_some(),
        edits: vec![Edit {
            span: field.value_span,
            text: meant.to_string(),
        }],
    };
    Some(finding.help(format!("did you mean `{meant}`?")).fix(fix))
}
