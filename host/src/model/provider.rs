//! Who answers requests, and how they are spoken to.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Patience;
use crate::Say;

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anthropic's messages.
    Anthropic,
    /// OpenAI's chat completions, which most others speak, too.
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

    /// The one of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Where models are asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// How it is spoken to.
    pub kind: Kind,
    /// Its address.
    pub base_url: String,
    /// The environment variable that holds the key; none if it wants no key.
    pub key_variable: Option<String>,
}

/// What a million tokens cost, in the user's currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Tokens read.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
}

impl Price {
    /// In millionths of the currency.
    pub fn of(self, input_tokens: u32, output_tokens: u32) -> u64 {
        let cost = self.input * f64::from(input_tokens) + self.output * f64::from(output_tokens);
        // A float that is too large becomes the largest number.
        cost.round() as u64
    }
}

/// Looks up environment variables.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// What [`Providers`](super::Providers) go by.
#[derive(Clone)]
pub struct ProviderConfig {
    /// Providers besides those that everybody knows, or instead of them.
    pub providers: BTreeMap<String, Provider>,
    /// Whether the user vouches for `providers`. If not, asking one of them fails: it would send what an agent reads, and
    /// perhaps a key, to whoever wrote the file.
    pub trusted: bool,
    /// Prices by `provider:name`. What is not here costs nothing that is known.
    pub prices: BTreeMap<String, Price>,
    /// Whether the cost is limited: models whose price is not known are refused.
    pub limits_cost: bool,
    /// How long to wait, and how often to try.
    pub patience: Patience,
    /// Where keys are.
    pub environment: Environment,
    /// Where to say that a request failed and is made again, and when.
    pub say: Say,
}

impl Default for ProviderConfig {
    fn default() -> Self {
        Self {
            providers: BTreeMap::new(),
            trusted: false,
            prices: BTreeMap::new(),
            limits_cost: false,
            patience: Patience::default(),
            environment: Arc::new(|name| std::env::var(name).ok()),
            say: Arc::new(|_| {}),
        }
    }
}

/// Whether a text may be the address of a provider.
pub fn is_address(text: &str) -> bool {
    let host = ["https://", "http://"]
        .into_iter()
        .find_map(|start| text.strip_prefix(start));
    host.is_some_and(|host| !host.is_empty() && !host.starts_with('/') && !host.contains(char::is_whitespace))
}

/// An address for people: without what is secret in some, names of users and what is asked.
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

/// A provider that everybody knows.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// What agent files call it besides.
    pub(super) also: &'static [&'static str],
    pub(super) kind: Kind,
    pub(super) base_url: &'static str,
    pub(super) key_variable: Option<&'static str>,
    /// How the names of its models begin, where nobody else's do.
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

/// Families whose weights are open, so that their names do not say who serves them.
pub(super) const OPEN: [&str; 1] = ["gpt-oss"];
