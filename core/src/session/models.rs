//! The model of an agent: the call's, else its own, else its caller's, else the default one.

use alloc::string::ToString;

use super::settings::{ModelChoice, Settings};
use super::state::Model;
use crate::decode::holds;
use crate::definition::{self, Definition};
use crate::dialect::{Canonical, Dialect, ModelAbsent};

/// The word for the caller's model.
const INHERIT: &str = "inherit";

/// The model of an agent. Unset parts are inherited from its caller.
pub(super) fn choose(
    called_with: Option<&str>,
    definition: &Definition,
    parent: Option<&Model>,
    settings: &Settings,
    dialect: &Dialect,
) -> Model {
    let inherited = || match parent {
        Some(parent) => Model {
            provider: parent.provider.clone(),
            model: parent.model.clone(),
            endpoint: parent.endpoint.clone(),
            ..Model::default()
        },
        None => chosen(&settings.default_model),
    };
    let named = |name: &str, provider: Option<&str>| {
        let alias = settings.aliases.iter().find(|alias| alias.name == name);
        match alias {
            _ if name == INHERIT => inherited(),
            Some(alias) => chosen(&alias.model),
            None => Model {
                provider: provider.map(ToString::to_string),
                model: name.to_string(),
                ..Model::default()
            },
        }
    };
    let provider = definition.provider.as_deref();
    let own = match &definition.model {
        definition::Model::Alias(name) | definition::Model::Id(name) => Some(&**name),
        definition::Model::Inherit => Some(INHERIT),
        definition::Model::Absent => definition.model_name.as_deref(),
    };
    let called_with = called_with.filter(|name| !name.trim().is_empty());
    let choice = match (called_with, own) {
        (Some(name), _) => named(name, None),
        (None, Some(name)) => named(name, provider),
        (None, None) if dialect.delegation.model_absent == ModelAbsent::Default => {
            chosen(&settings.default_model)
        }
        (None, None) => inherited(),
    };
    let endpoint = definition.endpoint.as_ref();
    // An endpoint belongs to the model beside it, not to one that the caller names.
    let endpoint = endpoint.filter(|_| called_with.is_none() && settings.trusts(&definition.name));
    let tokens = |stated: Option<i64>| {
        stated
            .and_then(|stated| u32::try_from(stated).ok())
            .filter(|tokens| *tokens > 0)
    };
    let before = parent.cloned().unwrap_or_default();
    let counts = |field: Canonical| {
        let key = dialect.of_field(field);
        key.is_none_or(|key| holds(definition, key))
    };
    let effort = definition.effort.clone().or(before.effort);
    let thinking_budget = tokens(definition.thinking_budget).or(before.thinking_budget);
    Model {
        provider: choice.provider,
        model: choice.model,
        max_tokens: tokens(definition.max_tokens).or(before.max_tokens),
        effort: effort.filter(|_| counts(Canonical::Effort)),
        thinking_budget: thinking_budget.filter(|_| counts(Canonical::ThinkingBudget)),
        endpoint: endpoint.cloned().unwrap_or(choice.endpoint),
    }
}

fn chosen(choice: &ModelChoice) -> Model {
    Model {
        provider: choice.provider.clone(),
        model: choice.model.clone(),
        ..Model::default()
    }
}
