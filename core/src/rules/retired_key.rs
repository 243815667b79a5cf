//! A field that the vendor has retired.
//!
//! Some releases still read it, and newer ones may not.
//!
//! ```yaml
//! infer: false
//! ```
//!
//! In GitHub Copilot, write instead:
//!
//! ```yaml
//! disable-model-invocation: true
//! ```

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::subject::Subject;

crate::diagnostic::rule! {
    name: "retired-key",
    severity: Warning,
    fix: None,
    found: file,
    evidence: "GitHub custom agents configuration: `infer` is retired",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    for (key, field, _) in subject.known() {
        if let Some(replacement) = &key.replaced_by {
            let message = format!("{} retired the field `{}`", subject.dialect.id, field.key);
            let finding = Finding::new(&RULE, field.key_span, message)
                .label("newer releases may ignore it")
                .help(format!("use {replacement}"));
            findings.push(finding);
        }
    }
}
