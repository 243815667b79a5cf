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
//! OpenCode requires the provider, as in `openai/gpt-5.4`.
//!
//! The same holds for a model of another vendor, such as `gpt-5.4` in Claude Code, unless a gateway serves it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::diagnostic::{Finding, Severity};
use crate::subject::Subject;
use crate::vocabulary::words;

crate::diagnostic::rule! {
    name: "foreign-model",
    severity: Warning,
    fix: None,
    found: agent,
    evidence: "vendor documentation of model names; names without a provider measured with OpenCode 1.18.33, versions with hyphens with Copilot CLI 1.0.102",
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
    if let Some(dotted) = dotted(model).filter(|_| dialect.titled_models) {
        let finding = found(format!("in {id}, `{model}` is called `{dotted}`"))?;
        let label = "it runs with the current model, unless a provider of yours has this one";
        return Some(finding.severity(Severity::Note).label(label));
    }
    // A dialect with its own aliases may map those of others.
    if !dialect.model_aliases.is_empty() {
        return None;
    }
    let speakers = subject.dialects.iter();
    let speakers = speakers.filter(|other| other.model_aliases.iter().any(|alias| alias == model));
    let speakers: Vec<&str> = speakers.map(|other| &*other.id).collect();
    if speakers.is_empty() {
        let is_bare = words::needs_provider(dialect.product()) && !model.contains(['/', '{']);
        let finding = is_bare.then(|| found(format!("`{model}` names no provider")))??;
        // No model of Anthropic has a dot in its id.
        let is_title = |provider: &&str| *provider == "anthropic" && model.contains('.');
        let provider = words::provider(model).filter(|provider| !is_title(provider));
        let help = provider.map_or("write `provider/model`".into(), |provider| {
            format!("write `{provider}/{model}`, or another provider of it")
        });
        return Some(finding.label("calls fail").help(help));
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

/// A model of Anthropic as Copilot spells it: `claude-sonnet-4.5` for `claude-sonnet-4-5`, also with a date.
fn dotted(model: &str) -> Option<String> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let dated = model
        .rsplit_once('-')
        .filter(|(_, date)| date.len() == 8 && is_number(date));
    let (before, minor) = dated.map_or(model, |(name, _)| name).rsplit_once('-')?;
    let (name, major) = before.rsplit_once('-')?;
    let is_version = |text: &str| (1..=2).contains(&text.len()) && is_number(text);
    (name.starts_with("claude-") && is_version(major) && is_version(minor))
        .then(|| format!("{before}.{minor}"))
}

fn says(model: &str, alias: &str) -> bool {
    let mut words = model.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word.eq_ignore_ascii_case(alias))
}
