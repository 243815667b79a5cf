//! Models over the network.

mod answer;
mod failure;
mod request;
mod target;
#[cfg(test)]
mod tests;
mod thoughts;
mod used;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use tokio::time::{Instant, sleep, timeout_at};

use self::failure::{Failure, Retry};
use self::target::Target;
use self::thoughts::Thoughts;
use self::used::Used;
use super::{Kind, ProviderConfig};
use crate::conversation::{CallError, ModelRequest};
use crate::{Answer, Completion, Heard, Models, tls};

/// Requests to models over the network, with retries.
///
/// If an answer breaks off, the retry's answer starts again, after a line that reports it.
pub struct Providers {
    config: ProviderConfig,
    client: OnceLock<Client>,
    thoughts: Mutex<Thoughts>,
    /// Whether it was said that a model reports no tokens.
    uncounted: AtomicBool,
}

impl Providers {
    /// Created at the first request.
    pub fn new(config: ProviderConfig) -> Self {
        Self {
            config,
            client: OnceLock::new(),
            thoughts: Mutex::default(),
            uncounted: AtomicBool::new(false),
        }
    }

    async fn ask(&self, request: &ModelRequest, heard: Heard<'_>) -> Result<Completion, CallError> {
        let target = self.target(request)?;
        let patience = &self.config.patience;
        let deadline = Instant::now() + patience.total;
        let mut attempts = 0;
        let mut begun = false;
        let mut used = Used::default();
        loop {
            attempts += 1;
            let mut telling = |piece: &str| {
                begun = true;
                heard(piece);
            };
            let attempt = self.attempt(request, &target, &mut telling);
            let failure = match timeout_at(deadline, attempt).await {
                Ok(Ok(mut completion)) => {
                    used.add_to(&mut completion);
                    let Completion { answer, cached } = &mut completion;
                    let price = self.config.prices.get(&target.name);
                    answer.cost = price.map(|price| price.of(target.kind, answer, *cached));
                    return Ok(completion);
                }
                Ok(Err(failure)) => failure,
                Err(_) => return Err(Failure::too_slow(patience.total).tell(&target, attempts)),
            };
            used.add(failure.used);
            let pause = match failure.retry {
                Retry::Soon => patience.pause(attempts, failure.wait),
                Retry::Later | Retry::Shorter | Retry::Never => None,
            };
            let Some(pause) = pause.filter(|pause| Instant::now() + *pause < deadline) else {
                return Err(failure.tell(&target, attempts));
            };
            if std::mem::take(&mut begun) {
                heard("\n[The answer broke off. Retrying.]\n");
            }
            (self.config.say)(&failure.tell_pause(&target, pause));
            sleep(pause).await;
        }
    }

    fn target(&self, request: &ModelRequest) -> Result<Target, CallError> {
        let target = target::target(&self.config, request)?;
        if self.config.limits_cost && !self.config.prices.contains_key(&target.name) {
            let name = &target.name;
            return Err(CallError::Denied(format!(
                "the price of {name} is unknown, so its cost cannot be limited: add `\"{name}\" = {{ input = …, output = … }}` \
                 under `[prices]` in callsheet.toml, or limit `--tokens` instead"
            )));
        }
        Ok(target)
    }

    async fn attempt(
        &self,
        request: &ModelRequest,
        target: &Target,
        heard: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Completion, Failure> {
        let patience = &self.config.patience;
        let (chat, options) = {
            let thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
            let chat = request::chat(request, target, &thoughts);
            (chat, request::options(request, target, &thoughts, patience))
        };
        let client = self.client()?;
        let response = client
            .exec_chat_stream(service(target), chat, Some(&options))
            .await;
        let response = response.map_err(|error| Failure::of(&error, patience.idle))?;
        let end = answer::read(response.stream, patience.idle, heard).await?;
        let (completion, content, is_counted) = answer::answer(end, &request.messages)?;
        if !is_counted && !self.uncounted.swap(true, Ordering::Relaxed) {
            (self.config.say)(&format!(
                "{} reports no tokens: its usage is not counted, and `--tokens` and `--cost` do not limit it",
                target.name
            ));
        }
        let mut thoughts = self.thoughts.lock().unwrap_or_else(PoisonError::into_inner);
        thoughts.keep(&request.agent, &completion.answer.calls, &content);
        Ok(completion)
    }

    fn client(&self) -> Result<&Client, Failure> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = http(self.config.patience.connect)
            .map_err(|error| Failure::lasting(format!("cannot be asked: {error}")))?;
        Ok(self.client.get_or_init(|| client))
    }
}

impl Models for Providers {
    fn complete<'a>(&'a self, request: &'a ModelRequest, heard: Heard<'a>) -> Answer<'a, Completion> {
        Box::pin(crate::runtime::entered(self.ask(request, heard)))
    }

    fn check(&self, request: &ModelRequest) -> Result<(), CallError> {
        self.target(request).map(drop)
    }
}

/// Without redirects: a key in an unusual header would be sent along.
fn http(connect: Duration) -> Result<Client, Box<dyn std::error::Error>> {
    tls::prepare();
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(connect)
        .build()?;
    Ok(Client::builder().with_reqwest(client).build()?)
}

fn service(target: &Target) -> ServiceTarget {
    let adapter = match target.kind {
        Kind::Anthropic => AdapterKind::Anthropic,
        Kind::OpenAi => AdapterKind::OpenAI,
        Kind::OpenAiResponses => AdapterKind::OpenAIResp,
        Kind::Gemini => AdapterKind::Gemini,
    };
    // The library requires a key even if the server ignores it.
    let key = target.key.as_deref().unwrap_or("none");
    ServiceTarget {
        endpoint: Endpoint::from_owned(&*target.base_url),
        auth: AuthData::from_single(key),
        model: ModelIden::new(adapter, &*target.model),
    }
}
