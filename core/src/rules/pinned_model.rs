//! A model id with a date.
//!
//! A dated id always means the same model. This keeps results stable, but the model is retired one day. Ids without a date and aliases
//! track new releases.
//!
//! ```yaml
//! model: claude-haiku-4-5-20251001
//! ```

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::subject::Subject;
use crate::vocabulary::retired_model;

crate::diagnostic::rule! {
    name: "pinned-model",
    severity: Note,
    fix: None,
    found: agent,
    evidence: "vendor documentation of model names",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if let Some((model, field)) = subject.model_id()
        && model.split(['-', '@', ':']).any(is_date)
        && retired_model(model).is_none()
    {
        let message = format!("`{model}` is a dated model");
        let finding = Finding::new(&RULE, field.value_span, message)
            .label("it will be retired one day")
            .help("omit the date unless you need this exact model");
        findings.push(finding);
    }
}

/// Eight digits that look like a day of this century.
fn is_date(part: &str) -> bool {
    part.len() == 8 && part.starts_with("20") && part.bytes().all(|byte| byte.is_ascii_digit())
}
