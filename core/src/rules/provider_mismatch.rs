//! A model that the provider does not have.
//!
//! Where provider and model are two keys they have to agree: the provider refuses the model of another one.
//!
//! ```yaml
//! provider: openai
//! model: claude-sonnet-5
//! ```

use alloc::format;
use alloc::vec::Vec;

use crate::definition::Model;
use crate::diagnostic::Finding;
use crate::subject::Subject;

super::rule! {
    name: "provider-mismatch",
    severity: Error,
    fix: None,
    evidence: "custom agents of kodelet: provider and model are used as they are written",
}

/// What the names of a provider's models begin with.
const NAMES: &[(&str, &[&str])] = &[
    ("anthropic", &["claude-"]),
    ("openai", &["gpt-", "o1", "o3", "o4-", "chatgpt-", "codex-"]),
    ("google", &["gemini-"]),
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    findings.extend(finding(subject));
}

fn finding(subject: &Subject<'_>) -> Option<Finding> {
    let definition = subject.definition;
    let (Model::Id(model), Some(provider)) = (&definition.model, definition.provider.as_deref()) else {
        return None;
    };
    let its = |(_, names): &&(&str, &[&str])| names.iter().any(|name| model.starts_with(name));
    let (owner, _) = NAMES.iter().find(its)?;
    // An endpoint of its own may serve any model.
    let is_known = NAMES.iter().any(|(name, _)| *name == provider);
    if *owner == provider || !is_known || definition.endpoint.is_some() {
        return None;
    }
    let message = format!("`{model}` is a model of {owner}, and the provider is {provider}");
    let related = definition.field("provider")?.value_span;
    let finding = Finding::new(&RULE, definition.field("model")?.value_span, message);
    Some(
        finding
            .label("the provider does not have it")
            .related(related, "the provider"),
    )
}
