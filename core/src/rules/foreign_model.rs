//! A model name of another product.
//!
//! Products name models differently: by alias, by id, as `provider/id`, or by a display name like `Claude Sonnet 4.5`. In another
//! product, such a name resolves to no model.
//!
//! ```yaml
//! model: Claude Sonnet 4.5 (copilot)
//! ```
//!
//! In Claude Code, write instead:
//!
//! ```yaml
//! model: sonnet
//! ```
//!
//! The same holds for a model of another vendor, such as `gpt-5.4` in Claude Code, unless a gateway serves it.

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Severity};
use crate::subject::Subject;
use crate::vocabulary::words;

crate::diagnostic::rule! {
    name: "foreign-model",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "vendor documentation of model names",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(finding(subject));
}

fn finding(subject: &Subject<'_>) -> Option<Finding> {
    let (model, field) = subject.model_id()?;
    let dialect = subject.dialect;
    let found = |message| Some(Finding::new(&RULE, field.value_span, message));
    let id = &dialect.id;
    if model.contains([',', '|']) {
        let finding = found(format!("{id} takes one model, not several: `{model}`"))?;
        return Some(finding.help("choose one"));
    }
    if model.contains(' ') && !dialect.any_model && !dialect.titled_models {
        let finding = found(format!("`{model}` is a display name, not a model id"))?;
        return Some(
            match dialect.model_aliases.iter().find(|alias| says(model, alias)) {
                Some(alias) => finding.help(format!("write `{alias}` or a model id")),
                None => finding.help("write a model id"),
            },
        );
    }
    if let Some(provider) = words::provider(model)
        && let own = words::providers_of(dialect.product())
        && !own.is_empty()
        && !own.contains(&provider)
        && dialect.key("provider").is_none()
    {
        let message = format!(
            "`{model}` is a model of {provider}, and {id} runs models of {}",
            own.join(", ")
        );
        let finding = found(message)?;
        return Some(finding.label("calls fail unless a gateway serves it"));
    }
    // A dialect with its own aliases may map those of others.
    if !dialect.model_aliases.is_empty() {
        return None;
    }
    let speakers = subject.dialects.iter();
    let speakers = speakers.filter(|other| other.model_aliases.iter().any(|alias| alias == model));
    let speakers: Vec<&str> = speakers.map(|other| &*other.id).collect();
    if speakers.is_empty() {
        return None;
    }
    let finding = found(format!(
        "`{model}` is a model alias in {}, not in {id}",
        speakers.join(", ")
    ))?;
    Some(if dialect.any_model {
        finding
            .severity(Severity::Note)
            .label("it must be a model name that the user configured")
    } else {
        finding.help("write a model id")
    })
}

fn says(model: &str, alias: &str) -> bool {
    let mut words = model.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case(alias))
}
