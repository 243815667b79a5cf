//! Models: aliases, endpoints and prices.

use std::collections::BTreeMap;

use callsheet_settings::Problem;
use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

use super::run::is_variable;
use crate::delegation::ModelChoice;
use crate::model::{self, Kind, Price, Provider};

/// Model aliases, as `provider:name`.
pub(super) type Aliases = BTreeMap<Spanned<String>, Spanned<String>>;

/// Providers by name.
pub(super) type Providers = BTreeMap<Spanned<String>, WrittenProvider>;

/// Prices by `provider:name`.
pub(super) type Prices = BTreeMap<Spanned<String>, WrittenPrice>;

/// The endpoint of a provider.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct WrittenProvider {
    base_url: Spanned<String>,
    key_variable: Option<Spanned<String>>,
    kind: Option<Spanned<String>>,
    model: Option<Spanned<String>>,
}

/// The price of a million tokens.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct WrittenPrice {
    input: Spanned<f64>,
    output: Spanned<f64>,
    cache_read: Option<Spanned<f64>>,
    cache_write: Option<Spanned<f64>>,
    date: Option<Spanned<Datetime>>,
}

pub(super) fn aliases(written: Aliases) -> Result<Vec<(String, ModelChoice)>, Problem> {
    let read = |(word, choice): (Spanned<String>, Spanned<String>)| Ok((word.into_inner(), named(&choice)?));
    written.into_iter().map(read).collect()
}

/// A model with its provider.
fn named(written: &Spanned<String>) -> Result<ModelChoice, Problem> {
    let parsed = model::parse(written.as_ref());
    if parsed.provider.is_none() || parsed.model.is_empty() {
        let message = format!("`{}` is not a model; use `provider:name`", written.as_ref());
        return Err(Problem::new(written.span(), message));
    }
    Ok(parsed)
}

pub(super) fn providers(written: Providers) -> Result<BTreeMap<String, Provider>, Problem> {
    written.into_iter().map(provider).collect()
}

pub(super) fn prices(written: Prices) -> Result<BTreeMap<String, Price>, Problem> {
    let read = |(model, price): (Spanned<String>, WrittenPrice)| {
        named(&model)?;
        let price = Price {
            input: amount(&price.input)?,
            output: amount(&price.output)?,
            cache_read: price.cache_read.as_ref().map(amount).transpose()?,
            cache_write: price.cache_write.as_ref().map(amount).transpose()?,
            date: price.date.as_ref().map(date).transpose()?,
        };
        Ok((model.into_inner(), price))
    };
    written.into_iter().map(read).collect()
}

fn provider((name, written): (Spanned<String>, WrittenProvider)) -> Result<(String, Provider), Problem> {
    if name.as_ref().is_empty() || name.as_ref().contains([':', '/']) {
        let message = format!(
            "`{}` is not a provider name: it is empty or contains `:` or `/`",
            name.as_ref()
        );
        return Err(Problem::new(name.span(), message));
    }
    let kind = match &written.kind {
        None => Kind::OpenAi,
        Some(kind) => Kind::from_name(kind.as_ref()).ok_or_else(|| {
            let known = Kind::ALL.iter().map(|kind| kind.name());
            Problem::unknown(kind.span(), "kind", kind.as_ref(), known)
        })?,
    };
    let url = &written.base_url;
    if !model::is_address(url.as_ref()) {
        let message = format!("`{}` is not a URL; use `https://…` or `http://…`", url.as_ref());
        return Err(Problem::new(url.span(), message));
    }
    if let Some(variable) = written
        .key_variable
        .as_ref()
        .filter(|it| !is_variable(it.as_ref()))
    {
        // It may be the key itself.
        let message = "it is not the name of an environment variable, such as `GATEWAY_API_KEY`";
        return Err(Problem::new(variable.span(), message));
    }
    if let Some(model) = written.model.as_ref().filter(|it| it.as_ref().trim().is_empty()) {
        return Err(Problem::new(model.span(), "the name of a model is empty"));
    }
    let provider = Provider {
        kind,
        base_url: written.base_url.into_inner(),
        key_variable: written.key_variable.map(Spanned::into_inner),
        model: written.model.map(Spanned::into_inner),
    };
    Ok((name.into_inner(), provider))
}

fn date(written: &Spanned<Datetime>) -> Result<String, Problem> {
    let Datetime {
        date: Some(date),
        time: None,
        offset: None,
    } = written.as_ref()
    else {
        let message = format!("`{}` is not a date; use `2026-01-31`", written.as_ref());
        return Err(Problem::new(written.span(), message));
    };
    Ok(date.to_string())
}

fn amount(written: &Spanned<f64>) -> Result<f64, Problem> {
    let amount = *written.as_ref();
    if amount.is_finite() && amount >= 0.0 {
        return Ok(amount);
    }
    Err(Problem::new(written.span(), format!("`{amount}` is not a price")))
}
