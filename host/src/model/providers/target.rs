//! The target of a request.

use crate::closest::closest;
use crate::conversation::{CallError, ModelRequest};
use crate::model::provider::{KNOWN, Known, OPEN, shown};
use crate::model::{Kind, Provider, ProviderConfig, is_address};

/// The target of one request.
#[derive(Clone)]
pub(super) struct Target {
    /// `provider:name`, for display.
    pub(super) name: String,
    pub(super) model: String,
    pub(super) kind: Kind,
    pub(super) base_url: String,
    pub(super) key_variable: Option<String>,
    pub(super) key: Option<String>,
}

/// Finds the target of a request. Errors include the fix.
pub(super) fn target(config: &ProviderConfig, request: &ModelRequest) -> Result<Target, CallError> {
    let (name, model) = chosen(config, request)?;
    let mut provider = find(config, &name)?;
    let name = format!("{name}:{model}");
    if let Some(base_url) = &request.base_url {
        if !is_address(base_url) {
            return Err(failed(format!(
                "the agent's file sets an invalid URL for {name}: `{}`",
                shown(base_url)
            )));
        }
        provider.base_url.clone_from(base_url);
    }
    if let Some(variable) = &request.api_key_variable {
        provider.key_variable = Some(variable.clone());
    }
    let key = key(config, &name, provider.key_variable.as_deref())?;
    Ok(Target {
        name,
        model,
        kind: provider.kind,
        base_url: complete(&provider),
        key_variable: provider.key_variable,
        key,
    })
}

/// The names of the provider and the model.
fn chosen(config: &ProviderConfig, request: &ModelRequest) -> Result<(String, String), CallError> {
    let model = request.model.trim();
    let named = match &request.provider {
        Some(provider) if model.is_empty() => &**provider,
        None => model,
        Some(_) => "",
    };
    let usual = config
        .providers
        .get(named)
        .and_then(|provider| provider.model.as_ref());
    if let Some(usual) = usual {
        return Ok((named.to_owned(), usual.clone()));
    }
    if model.is_empty() {
        let advice = "use `--model provider:name`, or `default = \"provider:name\"` under `[models]` in callsheet.toml";
        let what = match &request.provider {
            Some(provider) => format!("`{provider}:` names no model"),
            None => "no model is set".to_owned(),
        };
        return Err(failed(format!("{what}: {advice}")));
    }
    if let Some(provider) = &request.provider {
        return Ok((provider.clone(), model.to_owned()));
    }
    for mark in ['/', ':'] {
        if let Some((provider, model)) = model.split_once(mark)
            && names(config).any(|name| name == provider)
        {
            return Ok((provider.to_owned(), model.to_owned()));
        }
    }
    let candidates = candidates(config, model);
    match &*candidates {
        [one] => Ok((one.clone(), model.to_owned())),
        [] => Err(failed(unknown_model(model))),
        [first, ..] => {
            let listed: Vec<String> = candidates
                .iter()
                .map(|name| format!("`{name}:{model}`"))
                .collect();
            let advice = format!("add `{model} = \"{first}:{model}\"` under `[models]` in callsheet.toml");
            Err(failed(format!(
                "`{model}` may be {}: choose one, or {advice}",
                listed.join(" or ")
            )))
        }
    }
}

/// The providers that may serve a model of this name.
fn candidates(config: &ProviderConfig, model: &str) -> Vec<String> {
    let is_open = OPEN.iter().any(|prefix| model.starts_with(prefix));
    let family = KNOWN
        .iter()
        .find(|known| !is_open && known.prefixes.iter().any(|prefix| model.starts_with(prefix)));
    let Some(family) = family else {
        return Vec::new();
    };
    let others = config
        .providers
        .iter()
        .filter(|(name, one)| one.kind == family.kind && *name != family.name);
    let others = others.map(|(name, _)| name.clone());
    [family.name.to_owned()].into_iter().chain(others).collect()
}

fn unknown_model(model: &str) -> String {
    const WORDS: [&str; 6] = ["sonnet", "opus", "haiku", "main", "task", "quick"];
    let advice = "under `[models]` in callsheet.toml";
    if WORDS.contains(&model) {
        return format!("model alias `{model}` is not mapped; add `{model} = \"provider:name\"` {advice}");
    }
    let example = format!("`ollama:{model}`");
    format!(
        "unknown provider of model `{model}`; name it, as in {example}, or add `{model} = \"provider:name\"` {advice}"
    )
}

fn find(config: &ProviderConfig, name: &str) -> Result<Provider, CallError> {
    if let Some(provider) = config.providers.get(name) {
        if config.trusted {
            return Ok(provider.clone());
        }
        let url = shown(&provider.base_url);
        return Err(CallError::Denied(format!(
            "the configuration sends `{name}` to {url}, but is not trusted: run `callsheet trust {}`",
            config.file
        )));
    }
    let same = |known: &&Known| known.name == name || known.also.contains(&name);
    let known = KNOWN
        .iter()
        .find(same)
        .ok_or_else(|| failed(unknown_provider(config, name)))?;
    Ok(Provider {
        kind: known.kind,
        base_url: known.base_url.into(),
        key_variable: known.key_variable.map(str::to_owned),
        model: None,
    })
}

fn unknown_provider(config: &ProviderConfig, name: &str) -> String {
    let advice = match closest(name, names(config)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let listed: Vec<String> = names(config).map(|name| format!("`{name}`")).collect();
            format!(
                "use {}, or add others under `[providers.{name}]` in callsheet.toml",
                listed.join(", ")
            )
        }
    };
    format!("unknown provider `{name}`; {advice}")
}

fn names(config: &ProviderConfig) -> impl Iterator<Item = &str> + Clone {
    let known = KNOWN.iter().map(|known| known.name);
    known.chain(config.providers.keys().map(String::as_str))
}

fn key(config: &ProviderConfig, name: &str, variable: Option<&str>) -> Result<Option<String>, CallError> {
    let Some(variable) = variable else {
        return Ok(None);
    };
    let key = (config.environment)(variable).map(|key| key.trim().to_owned());
    match key.filter(|key| !key.is_empty()) {
        Some(key) => Ok(Some(key)),
        None => Err(failed(format!(
            "{name} needs an API key: set the environment variable {variable}"
        ))),
    }
}

/// The URL in the library's form. Anthropic's is usually given without a version.
fn complete(provider: &Provider) -> String {
    let url = provider.base_url.trim_end_matches('/');
    match provider.kind {
        Kind::Anthropic if !url.ends_with("/v1") => format!("{url}/v1/"),
        _ => format!("{url}/"),
    }
}

fn failed(message: String) -> CallError {
    CallError::Other(message)
}
