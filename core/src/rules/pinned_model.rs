//! A model of a certain day.
//!
//! An id with a date always means the same model, which is as wanted where results are to stay the same, and which one day is not served
//! any more. Ids without a date and short names go with the times.
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
    found: file,
    evidence: "vendor documentation of model names",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if let Some((model, field)) = subject.model_id()
        && model.split(['-', '@', ':']).any(is_date)
        && retired_model(model).is_none()
    {
        let message = format!("`{model}` is the model of a certain day");
        let finding = Finding::new(&RULE, field.value_span, message)
            .label("one day it is not served any more")
            .help("leave the date out, if any current model of its kind will do");
        findings.push(finding);
    }
}

/// Eight digits that are a day of this century.
fn is_date(part: &str) -> bool {
    part.len() == 8 && part.starts_with("20") && part.bytes().all(|byte| byte.is_ascii_digit())
}
