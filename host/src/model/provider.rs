//! Providers of models, and their protocols.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Patience;
use crate::conversation::ModelAnswer;
use crate::{Cached, Say};

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anthropic's messages.
    Anthropic,
    /// OpenAI's chat completions, which most others support, too.
    OpenAi,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Gemini.
    Gemini,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::OpenAiResponses, Self::Gemini];

    /// Its name in `callsheet.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::OpenAiResponses => "openai-responses",
            Self::Gemini => "gemini",
        }
    }

    /// The price of reading a token from the cache, as a part of the price of reading it otherwise, unless a price says so. Others than
    /// Anthropic have a discount for each model: without one, the cost is never too low.
    fn cache_read(self) -> f64 {
        match self {
            Self::Anthropic => 0.1,
            Self::OpenAi | Self::OpenAiResponses | Self::Gemini => 1.0,
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The endpoint of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// Its protocol.
    pub kind: Kind,
    /// Its address.
    pub base_url: String,
    /// The environment variable with the key; none if it needs no key.
    pub key_variable: Option<String>,
    /// The model of requests that only name the provider.
    pub model: Option<String>,
}

/// The price of a million tokens, in the user's currency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Price {
    /// Tokens read.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read from the cache.
    pub cache_read: Option<f64>,
    /// Tokens read and written to the cache.
    pub cache_write: Option<f64>,
    /// The day it was looked up: year, month and day with hyphens.
    pub date: Option<String>,
}

/// The price of a token that is written to the cache, as a multiple of the price of reading it. Anthropic's for five minutes; most
/// others report no such tokens.
const CACHE_WRITE: f64 = 1.25;

impl Price {
    /// In millionths of the currency.
    pub fn of(&self, kind: Kind, answer: &ModelAnswer, cached: Cached) -> u64 {
        let Cached { read, written } = cached;
        let plain = answer.input_tokens.saturating_sub(read.saturating_add(written));
        let cost: f64 = [
            (plain, self.input),
            (read, self.cache_read.unwrap_or(self.input * kind.cache_read())),
            (written, self.cache_write.unwrap_or(self.input * CACHE_WRITE)),
            (answer.output_tokens, self.output),
        ]
        .into_iter()
        // Zero times a price that is too large would not be a number.
        .filter(|(tokens, _)| *tokens > 0)
        .map(|(tokens, price)| f64::from(tokens) * price)
        .sum();
        // A float that is too large becomes the largest number.
        cost.round() as u64
    }
}

/// The days that prices are of: `2026-01-31`, or `2026-01-31 to 2026-02-28`. None if no price has one.
pub fn dates<'a>(prices: impl Iterator<Item = &'a Price>) -> Option<String> {
    let dates: BTreeSet<&str> = prices.filter_map(|price| price.date.as_deref()).collect();
    let (first, last) = (dates.first()?, dates.last()?);
    Some(if first == last {
        (*first).to_owned()
    } else {
        format!("{first} to {last}")
    })
}

/// Looks up environment variables.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The settings of [`Providers`](super::Providers).
#[derive(Clone)]
pub struct ProviderConfig {
    /// Providers in addition to or instead of the well-known ones.
    pub providers: BTreeMap<String, Provider>,
    /// Whether the user trusts `providers`. If not, requests to them fail: they would send what an agent reads, and perhaps a key, to the
    /// file's author.
    pub trusted: bool,
    /// The file with `providers`, for advice.
    pub file: String,
    /// Prices by `provider:name`. Others are unknown.
    pub prices: BTreeMap<String, Price>,
    /// Whether the cost is limited: models with an unknown price are refused.
    pub limits_cost: bool,
    /// Time limits and retries.
    pub patience: Patience,
    /// The source of keys.
    pub environment: Environment,
    /// Reports a failed request and its next attempt.
    pub say: Say,
}

impl Default for ProviderConfig {
    fn default() -> Self {
        Self {
            providers: BTreeMap::new(),
            trusted: false,
            file: String::new(),
            prices: BTreeMap::new(),
            limits_cost: false,
            patience: Patience::default(),
            environment: Arc::new(|name| std::env::var(name).ok()),
            say: Arc::new(|_| {}),
        }
    }
}

/// Whether a text may be the URL of a provider.
pub fn is_address(text: &str) -> bool {
    let host = ["https://", "http://"]
        .into_iter()
        .find_map(|start| text.strip_prefix(start));
    host.is_some_and(|host| !host.is_empty() && !host.starts_with('/') && !host.contains(char::is_whitespace))
}

/// A URL for display: without user names and queries, which may be secret.
pub(super) fn shown(address: &str) -> String {
    let plain = address.split(['?', '#']).next().unwrap_or_default();
    match plain.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest
                .split_once('/')
                .map_or((rest, None), |(host, path)| (host, Some(path)));
            let host = host.rsplit('@').next().unwrap_or_default();
            path.map_or_else(
                || format!("{scheme}://{host}"),
                |path| format!("{scheme}://{host}/{path}"),
            )
        }
        None => plain.to_owned(),
    }
}

/// A well-known provider.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// Its other names in agent files.
    pub(super) also: &'static [&'static str],
    pub(super) kind: Kind,
    pub(super) base_url: &'static str,
    pub(super) key_variable: Option<&'static str>,
    /// Unique prefixes of its models' names.
    pub(super) prefixes: &'static [&'static str],
}

pub(super) const KNOWN: [Known; 4] = [
    Known {
        name: "anthropic",
        also: &["claude"],
        kind: Kind::Anthropic,
        base_url: "https://api.anthropic.com/v1/",
        key_variable: Some("ANTHROPIC_API_KEY"),
        prefixes: &["claude-"],
    },
    Known {
        name: "openai",
        also: &[],
        kind: Kind::OpenAi,
        base_url: "https://api.openai.com/v1/",
        key_variable: Some("OPENAI_API_KEY"),
        prefixes: &["gpt-", "chatgpt-", "o1", "o3", "o4"],
    },
    Known {
        name: "gemini",
        also: &["google"],
        kind: Kind::Gemini,
        base_url: "https://generativelanguage.googleapis.com/v1beta/",
        key_variable: Some("GEMINI_API_KEY"),
        prefixes: &["gemini-"],
    },
    Known {
        name: "ollama",
        also: &[],
        kind: Kind::OpenAi,
        base_url: "http://localhost:11434/v1/",
        key_variable: None,
        prefixes: &[],
    },
];

/// The variable that has the key of each provider, built-in and configured; none if it needs no key.
pub fn key_variables(own: &BTreeMap<String, Provider>) -> BTreeMap<String, Option<String>> {
    let known = KNOWN.iter();
    let known = known.map(|known| (known.name.to_owned(), known.key_variable.map(str::to_owned)));
    let own = own.iter();
    let own = own.map(|(name, provider)| (name.clone(), provider.key_variable.clone()));
    known.chain(own).collect()
}

/// Families with open weights, whose names do not identify a provider.
pub(super) const OPEN: [&str; 1] = ["gpt-oss"];
