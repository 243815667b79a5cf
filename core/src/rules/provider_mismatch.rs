//! A model that the provider does not have.
//!
//! Where provider and model are two fields, they must match: a provider refuses the model of another one.
//!
//! ```yaml
//! provider: openai
//! model: claude-sonnet-5
//! ```

use alloc::format;
use alloc::vec::Vec;

use crate::diagnostic::Finding;
use crate::dialect::Canonical;
use crate::subject::Subject;
use crate::vocabulary::words;

crate::diagnostic::rule! {
    name: "provider-mismatch",
    severity: Error,
    fix: None,
    found: agent,
    evidence: "custom agents of kodelet: provider and model are used as written",
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(finding(subject));
}

fn finding(subject: &Subject<'_>) -> Option<Finding> {
    let (definition, (model, field)) = (subject.definition, subject.model_id()?);
    let provider = definition.provider.as_deref()?;
    let owner = words::provider(model)?;
    // A custom endpoint may serve any model.
    let is_known = words::is_provider(provider);
    if owner == provider || !is_known || definition.endpoint.is_some() {
        return None;
    }
    let message = format!("`{model}` is a model of {owner}, but the provider is {provider}");
    let related = definition.field(Canonical::Provider)?.value_span;
    let finding = Finding::new(&RULE, field.value_span, message);
    Some(
        finding
            .label("the provider does not have it")
            .related(related, "the provider"),
    )
}
