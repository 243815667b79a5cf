//! One server: started, asked, started again once if it ends.

use std::collections::{BTreeMap, HashMap};
use std::process::Stdio;
use std::sync::Arc;

use http::{HeaderName, HeaderValue};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, Implementation, JsonObject,
    Tool,
};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{Peer, RoleClient, ServiceExt as _};
use tokio::process::Command;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::expand::expand;
use super::tail::Tail;
use super::{Server, ServersConfig, Transport, answer};
use crate::conversation::{CallError, ToolAnswer};
use crate::environment;

/// What is shorter is no secret, and blotting it out would make messages unreadable.
const SHORTEST_SECRET: usize = 6;

type Service = RunningService<RoleClient, ClientConfig>;

/// A server that was started.
pub(super) struct Connection {
    /// With the variables put in.
    server: Server,
    config: ServersConfig,
    /// Values that must not be repeated.
    secrets: Vec<String>,
    stderr: Tail,
    state: Mutex<State>,
}

struct State {
    service: Option<Service>,
    restarted: bool,
}

impl Connection {
    /// Starts a server and lists its tools. Fails with what is wrong, for people.
    pub(super) async fn start(server: Server, config: ServersConfig) -> Result<(Self, Vec<Tool>), String> {
        let place = format!("{}: the server `{}`", server.source, server.name);
        let (server, secrets) = expanded(server, &config)
            .map_err(|name| format!("{place} is ignored: the variable `{name}` is not set"))?;
        let connection = Self {
            server,
            config,
            secrets,
            stderr: Tail::default(),
            state: Mutex::new(State {
                service: None,
                restarted: false,
            }),
        };
        match connection.open().await {
            Ok((service, tools)) => {
                connection.state.lock().await.service = Some(service);
                Ok((connection, tools))
            }
            Err(reason) => Err(format!(
                "{place} does not start: {}",
                connection.told(&reason).await
            )),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.server.name
    }

    /// Calls a tool. Dropping the call tells the server.
    pub(super) async fn call(&self, tool: &str, arguments: &str) -> Result<ToolAnswer, CallError> {
        let arguments = match parsed(arguments) {
            Ok(arguments) => arguments,
            Err(reason) => return Ok(failure(reason)),
        };
        let peer = match self.peer().await {
            Ok(peer) => peer,
            Err(reason) => return Ok(failure(reason)),
        };
        let request = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        match timeout(self.config.call_timeout, peer.call_tool_once(request)).await {
            Err(_) => Err(CallError::TimedOut),
            Ok(Ok(CallToolResponse::Complete(result))) => Ok(answer::of(result)),
            Ok(Ok(_)) => Ok(failure(
                "the server asks for more than arguments, which cannot be given here".into(),
            )),
            Ok(Err(ServiceError::McpError(error))) => Ok(failure(error.message.into_owned())),
            Ok(Err(error)) => Ok(failure(self.ended(&error).await)),
        }
    }

    /// Ends the server, and waits for its end.
    pub(super) async fn close(&self) {
        let mut state = self.state.lock().await;
        if let Some(mut service) = state.service.take() {
            // It has ended either way.
            let _ = service
                .close_with_timeout(std::time::Duration::from_secs(3))
                .await;
        }
        state.restarted = true;
    }

    /// The way to the server, which is started again if it ended, but once only.
    async fn peer(&self) -> Result<Peer<RoleClient>, String> {
        let mut state = self.state.lock().await;
        if let Some(service) = &state.service
            && !service.is_closed()
            && !service.peer().is_transport_closed()
        {
            return Ok(service.peer().clone());
        }
        let name = self.name();
        if std::mem::replace(&mut state.restarted, true) {
            return Err(format!("the server `{name}` has ended and is not started again"));
        }
        state.service = None;
        (self.config.say)(&format!("the server `{name}` has ended; it is started once more"));
        let service = match self.open().await {
            Ok((service, _)) => service,
            Err(reason) => {
                let reason = format!(
                    "the server `{name}` does not start again: {}",
                    self.told(&reason).await
                );
                (self.config.say)(&reason);
                return Err(reason);
            }
        };
        let peer = service.peer().clone();
        state.service = Some(service);
        Ok(peer)
    }

    /// Notes that the server ended during a call, and says it.
    async fn ended(&self, error: &ServiceError) -> String {
        let mut state = self.state.lock().await;
        if state
            .service
            .as_ref()
            .is_some_and(|service| service.peer().is_transport_closed())
        {
            state.service = None;
        }
        let reason = format!(
            "the server `{}` failed during the call: {}",
            self.name(),
            self.told(&error.to_string()).await
        );
        (self.config.say)(&reason);
        reason
    }

    async fn open(&self) -> Result<(Service, Vec<Tool>), String> {
        let opened = timeout(self.config.start_timeout, async {
            let service = self.connect().await?;
            let tools = service
                .list_all_tools()
                .await
                .map_err(|error| error.to_string())?;
            Ok((service, tools))
        });
        let seconds = self.config.start_timeout.as_secs();
        opened
            .await
            .unwrap_or_else(|_| Err(format!("it did not answer within {seconds} s")))
    }

    async fn connect(&self) -> Result<Service, String> {
        let client = ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("callsheet", env!("CARGO_PKG_VERSION")),
        );
        let served = match &self.server.transport {
            Transport::Stdio { command, args, env } => client.serve(self.spawn(command, args, env)?).await,
            Transport::Http { url, headers } => {
                let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                let config = config.custom_headers(as_headers(headers)?);
                client
                    .serve(StreamableHttpClientTransport::from_config(config))
                    .await
            }
        };
        served.map_err(|error| error.to_string())
    }

    fn spawn(
        &self,
        command: &str,
        args: &[String],
        env: &BTreeMap<String, String>,
    ) -> Result<TokioChildProcess, String> {
        let mut program = Command::new(command);
        program
            .args(args)
            .current_dir(&self.config.directory)
            .env_clear()
            .envs(environment::inherited(&[]))
            .envs(env)
            .kill_on_drop(true);
        // Ctrl-C on the terminal is for us: servers end when they are closed.
        #[cfg(unix)]
        program.process_group(0);
        let (process, stderr) = TokioChildProcess::builder(program)
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run `{command}`: {error}"))?;
        if let Some(stderr) = stderr {
            self.stderr.follow(stderr);
        }
        Ok(process)
    }

    /// A reason with what the server said last, and without secrets.
    async fn told(&self, reason: &str) -> String {
        self.stderr.settle().await;
        let reason = self.secrets.iter().fold(reason.to_owned(), |reason, secret| {
            reason.replace(secret.as_str(), "***")
        });
        reason + &self.stderr.lines(&self.secrets)
    }
}

fn failure(text: String) -> ToolAnswer {
    ToolAnswer { text, is_error: true }
}

fn parsed(arguments: &str) -> Result<JsonObject, String> {
    if arguments.trim().is_empty() {
        return Ok(JsonObject::new());
    }
    serde_json::from_str(arguments).map_err(|error| format!("the arguments are no JSON object: {error}"))
}

/// The server with its variables put in, and the values that must not be repeated. Fails with a variable that is missing.
fn expanded(mut server: Server, config: &ServersConfig) -> Result<(Server, Vec<String>), String> {
    let look_up = Arc::clone(&config.environment);
    let secrets = std::cell::RefCell::new(Vec::new());
    let put_in = |text: &mut String| -> Result<(), String> {
        let noted = |name: &str| {
            let value = look_up(name)?;
            secrets.borrow_mut().push(value.clone());
            Some(value)
        };
        *text = expand(text, noted)?;
        Ok(())
    };
    match &mut server.transport {
        Transport::Stdio { command, args, env } => {
            put_in(command)?;
            args.iter_mut().try_for_each(put_in)?;
            env.values_mut().try_for_each(put_in)?;
            secrets.borrow_mut().extend(env.values().cloned());
        }
        Transport::Http { url, headers } => {
            put_in(url)?;
            headers.values_mut().try_for_each(put_in)?;
            secrets.borrow_mut().extend(headers.values().cloned());
        }
    }
    let mut secrets = secrets.into_inner();
    secrets.retain(|secret| secret.len() >= SHORTEST_SECRET);
    // The longer first: one may be part of another.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    Ok((server, secrets))
}

fn as_headers(headers: &BTreeMap<String, String>) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let header = |(name, value): (&String, &String)| {
        let key = HeaderName::try_from(name).map_err(|_| format!("`{name}` is no name of a header"))?;
        let mut value =
            HeaderValue::try_from(value).map_err(|_| format!("the value of `{name}` is none of a header"))?;
        value.set_sensitive(true);
        Ok((key, value))
    };
    headers.iter().map(header).collect()
}
