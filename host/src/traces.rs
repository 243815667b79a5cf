//! A session as a trace for OpenTelemetry: names, times, tokens and failures, but no text of users, models or tools.
//!
//! Names are those of its [conventions for generative AI](https://opentelemetry.io/docs/specs/semconv/gen-ai/), as of November 2026.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    Span as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::resource::EnvResourceDetector;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use tokio::runtime::Runtime;

use crate::conversation::ModelRequest;
use crate::delegation::{Ending, Event, Happening};
use crate::drive::Observer;
use crate::error::cause;
use crate::tls;

/// The longest a collector may take. The program waits for it at its end.
const PATIENCE: Duration = Duration::from_secs(5);

/// A collector, which gets spans while sessions run.
pub struct Collector {
    provider: SdkTracerProvider,
    failure: Arc<Mutex<Option<String>>>,
    /// What first agents belong to: the span in `TRACEPARENT`, if there is one.
    outside: Context,
}

/// The trace of a session.
pub struct Traces(Mutex<Working>);

/// The spans that have not ended.
struct Working {
    tracer: SdkTracer,
    /// The session's ID, for every span.
    session: Option<String>,
    /// What the first agent belongs to.
    outside: Context,
    /// When the session's clock began, and its last known time.
    began: Option<SystemTime>,
    now: u64,
    agents: HashMap<u32, Agent>,
    /// Whose answer is handled: it calls the agents that are called now.
    answered: Option<u32>,
}

struct Agent {
    span: Span,
    context: Context,
    model: Option<Span>,
    /// By the model's ID of the call.
    tools: HashMap<String, Span>,
}

impl Collector {
    /// The collector with this address, by OTLP over HTTP. Headers and the resource are those of the usual
    /// variables (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`).
    ///
    /// Fails with the reason if the address cannot be used.
    pub fn at(address: &str) -> Result<Self, String> {
        let failure = Arc::new(Mutex::new(None));
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Post::new(Arc::clone(&failure))?)
            .with_endpoint(endpoint(address)?)
            .with_timeout(PATIENCE)
            .build()
            .map_err(|error| error.to_string())?;
        let resource = Resource::builder_empty()
            .with_service_name("callsheet")
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .with_detector(Box::new(EnvResourceDetector::new()));
        let resource = match std::env::var("OTEL_SERVICE_NAME") {
            Ok(name) if !name.is_empty() => resource.with_service_name(name),
            _ => resource,
        };
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build())
            .build();
        let from = ["traceparent", "tracestate"].into_iter().filter_map(|name| {
            let value = std::env::var(name.to_ascii_uppercase()).ok()?;
            Some((name.to_owned(), value))
        });
        let from: HashMap<String, String> = from.collect();
        Ok(Self {
            provider,
            failure,
            outside: TraceContextPropagator::new().extract_with_context(&Context::new(), &from),
        })
    }

    /// The trace of a session with this ID.
    pub fn session(&self, id: Option<&str>) -> Traces {
        Traces(Mutex::new(Working {
            tracer: self.provider.tracer("callsheet"),
            session: id.map(str::to_owned),
            outside: self.outside.clone(),
            began: None,
            now: 0,
            agents: HashMap::new(),
            answered: None,
        }))
    }

    /// Sends what is left. Fails with the reason if something could not be sent.
    pub fn finish(&self) -> Result<(), String> {
        let ended = self.provider.shutdown_with_timeout(PATIENCE);
        match locked(&self.failure).take() {
            Some(failure) => Err(failure),
            // Other failures are known already.
            None => ended.map_err(|_| late()),
        }
    }
}

/// The one reason for a request and for a shutdown that take too long: which of them ends first is chance.
fn late() -> String {
    format!("the collector did not answer within {} s", PATIENCE.as_secs())
}

/// Where a collector takes traces.
fn endpoint(collector: &str) -> Result<String, String> {
    let mut url = reqwest::Url::parse(collector).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it is not an HTTP address".to_owned());
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/v1/traces") {
        url.set_path(&[&path, "/v1/traces"].concat());
    }
    Ok(url.into())
}

impl Observer for Traces {
    fn event(&self, event: &Event) {
        locked(&self.0).take(event);
    }

    fn asks(&self, run: u32, request: &ModelRequest) {
        locked(&self.0).asks(run, request);
    }

    fn again(&self, run: u32, at: u64, request: &ModelRequest) {
        locked(&self.0).again(run, at, request);
    }

    fn end(&self) {
        let mut working = locked(&self.0);
        let runs: Vec<u32> = working.agents.keys().copied().collect();
        for run in runs {
            working.close(run, Some("interrupted"));
        }
    }
}

impl Working {
    fn take(&mut self, event: &Event) {
        let Event { run, at, .. } = *event;
        let now = self.at(at);
        if !self.agents.contains_key(&run) {
            self.enter(run, &event.agent, now);
        }
        match &event.what {
            Happening::Asked(model) => self.ask(run, model, now),
            Happening::Said(said) => {
                self.answered = Some(run);
                if let Some(mut span) = self.agents.get_mut(&run).and_then(|it| it.model.take()) {
                    span.set_attribute(KeyValue::new(
                        "gen_ai.usage.input_tokens",
                        i64::from(said.input_tokens),
                    ));
                    span.set_attribute(KeyValue::new(
                        "gen_ai.usage.output_tokens",
                        i64::from(said.output_tokens),
                    ));
                    span.end_with_timestamp(now);
                }
            }
            Happening::Calls(call) => {
                let span = self.tool(run, &call.id, &call.name, now);
                if let Some((agent, span)) = self.agents.get_mut(&run).zip(span) {
                    agent.tools.insert(call.id.clone(), span);
                }
            }
            Happening::Returned(returned) => {
                let span = self
                    .agents
                    .get_mut(&run)
                    .and_then(|it| it.tools.remove(&returned.id));
                end(span, returned.is_error.then_some("tool_error"), now);
            }
            Happening::Refused(refused) | Happening::Invalid(refused) => {
                let known = self
                    .agents
                    .get_mut(&run)
                    .and_then(|it| it.tools.remove(&refused.id));
                let span = known.or_else(|| self.tool(run, &refused.id, &refused.tool, now));
                let is_denied = matches!(event.what, Happening::Refused(_));
                end(span, Some(if is_denied { "denied" } else { "invalid_call" }), now);
            }
            Happening::Ended(outcome) => self.close(
                run,
                match &outcome.ending {
                    Ending::Answer => None,
                    Ending::Bound(exceeded) => Some(&exceeded.bound),
                    Ending::Failed => Some("failed"),
                    Ending::Cancelled => Some("cancelled"),
                },
            ),
            Happening::Called(_) | Happening::Waits | Happening::Ignored(_) | Happening::Compacted(_) => {}
        }
    }

    fn again(&mut self, run: u32, at: u64, request: &ModelRequest) {
        let now = self.at(at);
        if !self.agents.contains_key(&run) {
            self.enter(run, &request.agent, now);
        }
        self.ask(run, &request.model, now);
        self.asks(run, request);
    }

    /// Events do not have the provider.
    fn asks(&mut self, run: u32, request: &ModelRequest) {
        let span = self.agents.get_mut(&run).and_then(|it| it.model.as_mut());
        if let Some((span, provider)) = span.zip(request.provider.clone()) {
            span.set_attribute(KeyValue::new("gen_ai.provider.name", provider));
        }
    }

    /// A time of the session's clock.
    fn at(&mut self, at: u64) -> SystemTime {
        self.now = self.now.max(at);
        let now = Duration::from_nanos(at);
        let began = self.began.get_or_insert_with(|| {
            let began = SystemTime::now().checked_sub(now);
            began.unwrap_or(SystemTime::UNIX_EPOCH)
        });
        *began + now
    }

    /// A span of the session.
    fn span(
        &self,
        name: String,
        kind: SpanKind,
        within: &Context,
        now: SystemTime,
        mut about: Vec<KeyValue>,
    ) -> Span {
        let session = self.session.clone();
        about.extend(session.map(|id| KeyValue::new("gen_ai.conversation.id", id)));
        let builder = self.tracer.span_builder(name).with_kind(kind);
        let builder = builder.with_start_time(now).with_attributes(about);
        builder.start_with_context(&self.tracer, within)
    }

    fn enter(&mut self, run: u32, path: &[String], now: SystemTime) {
        let caller = self.answered.filter(|_| path.len() > 1);
        let caller = caller.and_then(|run| self.agents.get(&run));
        let within = caller.map_or(&self.outside, |it| &it.context).clone();
        let name = path.last().cloned().unwrap_or_default();
        let about = vec![
            KeyValue::new("gen_ai.operation.name", "invoke_agent"),
            KeyValue::new("gen_ai.agent.name", name.clone()),
        ];
        let span = self.span(
            format!("invoke_agent {name}"),
            SpanKind::Internal,
            &within,
            now,
            about,
        );
        let context = within.with_remote_span_context(span.span_context().clone());
        self.agents.insert(
            run,
            Agent {
                span,
                context,
                model: None,
                tools: HashMap::new(),
            },
        );
    }

    fn ask(&mut self, run: u32, model: &str, now: SystemTime) {
        let Some(agent) = self.agents.get(&run) else {
            return;
        };
        let mut about = vec![KeyValue::new("gen_ai.operation.name", "chat")];
        if !model.is_empty() {
            about.push(KeyValue::new("gen_ai.request.model", model.to_owned()));
        }
        let name = format!("chat {model}").trim_end().to_owned();
        let span = self.span(name, SpanKind::Client, &agent.context, now, about);
        let before = self.agents.get_mut(&run).and_then(|it| it.model.replace(span));
        end(before, Some("interrupted"), now);
    }

    fn tool(&self, run: u32, id: &str, name: &str, now: SystemTime) -> Option<Span> {
        let about = vec![
            KeyValue::new("gen_ai.operation.name", "execute_tool"),
            KeyValue::new("gen_ai.tool.name", name.to_owned()),
            KeyValue::new("gen_ai.tool.call.id", id.to_owned()),
            KeyValue::new("gen_ai.tool.type", "function"),
        ];
        let within = &self.agents.get(&run)?.context;
        Some(self.span(
            format!("execute_tool {name}"),
            SpanKind::Internal,
            within,
            now,
            about,
        ))
    }

    /// Ends the spans of an agent.
    fn close(&mut self, run: u32, failure: Option<&str>) {
        let now = self.at(self.now);
        let Some(agent) = self.agents.remove(&run) else {
            return;
        };
        for span in agent.model.into_iter().chain(agent.tools.into_values()) {
            end(Some(span), Some(failure.unwrap_or("interrupted")), now);
        }
        end(Some(agent.span), failure, now);
    }
}

fn end(span: Option<Span>, failure: Option<&str>, now: SystemTime) {
    let Some(mut span) = span else { return };
    if let Some(failure) = failure {
        span.set_attribute(KeyValue::new("error.type", failure.to_owned()));
        span.set_status(Status::error(""));
    }
    span.end_with_timestamp(now);
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends requests from any thread.
#[derive(Debug)]
struct Post {
    client: reqwest::Client,
    runtime: Runtime,
    failure: Arc<Mutex<Option<String>>>,
}

impl Post {
    fn new(failure: Arc<Mutex<Option<String>>>) -> Result<Self, String> {
        tls::prepare();
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(PATIENCE)
            .build();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        Ok(Self {
            client: client.map_err(|error| error.to_string())?,
            runtime: runtime.map_err(|error| error.to_string())?,
            failure,
        })
    }
}

#[async_trait::async_trait]
impl HttpClient for Post {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let sent = self.runtime.spawn(async move {
            let answer = client.execute(request.try_into()?).await?;
            let status = answer.status();
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = status;
            *response.headers_mut() = answer.headers().clone();
            *response.body_mut() = answer.bytes().await?;
            Ok::<_, reqwest::Error>(response)
        });
        let answered = sent.await?;
        let failure = match &answered {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(format!("the collector answers {}", response.status())),
            Err(error) if error.is_timeout() => Some(late()),
            Err(error) => Some(cause(error)),
        };
        *locked(&self.failure) = failure;
        Ok(answered?)
    }
}
