//! The connection to one server, restarted once if it ends.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use rmcp::model::{CallToolRequestParams, CallToolResponse, JsonObject, Tool};
use rmcp::service::{ClientInitializeError, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::auth::{AuthClient, AuthError, AuthorizationManager};
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError};
use rmcp::{Peer, RoleClient, ServiceExt as _};
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, watch};
use tokio::time::{sleep, timeout};

use super::answer;
use super::config::{Server, ServersConfig, Transport};
use super::expand::expanded;
use super::handler::Handler;
use super::lines::{LONGEST, Lines, Unread};
use super::listing;
use super::tail::Tail;
use crate::conversation::{CallError, ToolAnswer};
use crate::environment;
use crate::error::cause;
use crate::mcp::paced::Paced;
use crate::processes::Group;
use crate::tls;

/// The most bytes of a reason, for display.
const LONGEST_REASON: usize = 1000;

/// How long a server may take to answer after something that cannot be read: it may be noise.
const SECOND_THOUGHT: Duration = Duration::from_secs(2);

/// How long a closed server may take to exit.
const LAST_DEEDS: Duration = Duration::from_secs(3);

type Service = RunningService<RoleClient, Handler>;

/// A started server.
pub(super) struct Connection {
    /// With expanded variables.
    server: Server,
    config: ServersConfig,
    /// Values to mask.
    secrets: Vec<String>,
    stderr: Tail,
    /// The last message of the server that was dropped.
    unread: watch::Sender<Option<Unread>>,
    state: Mutex<State>,
}

struct State {
    service: Option<Running>,
    restarted: bool,
}

/// A running server. Its processes end with it.
struct Running {
    service: Service,
    child: Option<Child>,
    _group: Group,
}

impl Connection {
    /// Starts a server and lists its tools. Fails with the problem, for display.
    pub(super) async fn start(server: Server, config: ServersConfig) -> Result<(Self, Vec<Tool>), String> {
        let place = format!("{}: the server `{}`", server.source, server.name);
        let (server, secrets) = expanded(server, &config.environment)
            .map_err(|name| format!("{place} is ignored: the variable `{name}` is not set"))?;
        let connection = Self {
            server,
            config,
            secrets,
            stderr: Tail::default(),
            unread: watch::Sender::default(),
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
        let unread = self.unread.subscribe();
        let called = tokio::select! {
            called = timeout(self.config.call_timeout, peer.call_tool_once(request)) => called,
            reason = self.unread(unread) => return Ok(failure(reason)),
        };
        match called {
            Err(_) => Err(CallError::TimedOut),
            Ok(Ok(CallToolResponse::Complete(result))) => Ok(answer::of(result)),
            Ok(Ok(_)) => Ok(failure(
                "the server asks for further input, which is not supported here".into(),
            )),
            Ok(Err(ServiceError::McpError(error))) => Ok(failure(self.masked(&error.message))),
            Ok(Err(error)) => Ok(failure(self.ended(&error).await)),
        }
    }

    /// Ends the server, and waits for its end.
    pub(super) async fn close(&self) {
        let mut state = self.state.lock().await;
        state.restarted = true;
        if let Some(mut running) = state.service.take() {
            let closing = async {
                let closed = running.service.close().await;
                if let Some(child) = &mut running.child {
                    let _ = child.wait().await;
                }
                closed
            };
            // A slower one is ended when this is dropped.
            let _ = timeout(LAST_DEEDS, closing).await;
        }
    }

    /// The connection to the server, which is restarted once if it ended.
    async fn peer(&self) -> Result<Peer<RoleClient>, String> {
        let mut state = self.state.lock().await;
        if let Some(Running { service, .. }) = &state.service
            && !service.is_closed()
            && !service.peer().is_transport_closed()
        {
            return Ok(service.peer().clone());
        }
        let name = self.name();
        if std::mem::replace(&mut state.restarted, true) {
            return Err(format!("the server `{name}` has ended and is not restarted"));
        }
        state.service = None;
        (self.config.say)(&format!("the server `{name}` has ended; restarting it"));
        let running = match self.open().await {
            Ok((running, _)) => running,
            Err(reason) => {
                let reason = format!(
                    "the server `{name}` does not restart: {}",
                    self.told(&reason).await
                );
                (self.config.say)(&reason);
                return Err(reason);
            }
        };
        let peer = running.service.peer().clone();
        state.service = Some(running);
        Ok(peer)
    }

    /// Records and reports that the server ended during a call.
    async fn ended(&self, error: &ServiceError) -> String {
        let mut state = self.state.lock().await;
        if state
            .service
            .as_ref()
            .is_some_and(|running| running.service.peer().is_transport_closed())
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

    async fn open(&self) -> Result<(Running, Vec<Tool>), String> {
        let opened = timeout(self.config.start_timeout, async {
            let running = self.connect().await?;
            let tools = listing::tools_of(running.service.peer()).await?;
            running.service.service().has_started(&tools);
            Ok((running, tools))
        });
        let seconds = self.config.start_timeout.as_secs();
        opened
            .await
            .unwrap_or_else(|_| Err(format!("it did not answer within {seconds} s")))
    }

    async fn connect(&self) -> Result<Running, String> {
        let client = Handler::new(self.name().to_owned(), Arc::clone(&self.config.say));
        let (mut child, mut group) = (None, Group::default());
        let served = match &self.server.transport {
            Transport::Stdio { command, args, env } => {
                let (mut started, its_group) = self.spawn(command, args, env)?;
                let pipes = started.stdout.take().zip(started.stdin.take());
                let (out, input) = pipes.expect("both are piped");
                (child, group) = (Some(started), its_group);
                let lines = Lines::new(out, self.unread.clone());
                client
                    .serve(Paced::new(AsyncRwTransport::new(lines, input)))
                    .await
            }
            Transport::Http { url, headers } => {
                let config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                let config = config.custom_headers(as_headers(headers)?);
                tls::prepare();
                match self.manager(url).await? {
                    Some(manager) => {
                        let signed = AuthClient::new(reqwest::Client::default(), manager);
                        let transport = StreamableHttpClientTransport::with_client(signed, config);
                        client.serve(Paced::new(transport)).await
                    }
                    None => {
                        let transport = StreamableHttpClientTransport::from_config(config);
                        client.serve(Paced::new(transport)).await
                    }
                }
            }
        };
        let service = served.map_err(|error| self.unserved(&error))?;
        Ok(Running {
            service,
            child,
            _group: group,
        })
    }

    /// Gets tokens for the server, if the user signed in to it. A token in the file takes precedence.
    async fn manager(&self, url: &str) -> Result<Option<AuthorizationManager>, String> {
        match &self.config.sign_ins {
            Some(sign_ins) if !self.server.transport.has_token() => {
                let manager = sign_ins.manager(url).await;
                manager.map_err(|error| format!("its tokens cannot be used: {}", cause(&error)))
            }
            _ => Ok(None),
        }
    }

    /// Why the server could not be asked.
    fn unserved(&self, error: &ClientInitializeError) -> String {
        match error {
            ClientInitializeError::TransportError { error, .. } if wants_sign_in(&*error.error) => {
                format!("it wants you to sign in: `callsheet login {}`", self.name())
            }
            ClientInitializeError::TransportError { error, .. } => cause(&*error.error),
            error => error.to_string(),
        }
    }

    fn spawn(
        &self,
        command: &str,
        args: &[String],
        env: &BTreeMap<String, String>,
    ) -> Result<(Child, Group), String> {
        let failed = |error| format!("cannot run `{command}`: {error}");
        let mut program = self.program(command, args, env).map_err(failed)?;
        program
            .current_dir(&self.config.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // In its own process group: Ctrl-C is for this program, servers end when they are closed.
        let (mut child, group) = Group::start(&mut program).map_err(failed)?;
        if let Some(stderr) = child.stderr.take() {
            self.stderr.follow(stderr);
        }
        Ok((child, group))
    }

    fn program(&self, command: &str, args: &[String], env: &BTreeMap<String, String>) -> io::Result<Command> {
        let mut environment = environment::inherited(&[]);
        environment.extend(env.iter().map(|(name, value)| (name.into(), value.into())));
        if let Some((confinement, reach)) = &self.config.confined {
            return confinement.server(command, args, reach, &environment);
        }
        let mut program = Command::new(command);
        program.args(args).env_clear().envs(environment);
        Ok(program)
    }

    /// Waits until the answer to a call is certainly, or probably, among what was dropped.
    async fn unread(&self, mut unread: watch::Receiver<Option<Unread>>) -> String {
        let name = self.name();
        loop {
            // The sender is ours.
            let _ = unread.changed().await;
            let dropped = unread.borrow_and_update().clone();
            match dropped {
                Some(Unread::Malformed(reason)) if self.unread.receiver_count() == 1 => {
                    sleep(SECOND_THOUGHT).await;
                    return format!("the server `{name}` sent an answer that cannot be read: {reason}");
                }
                Some(Unread::TooLong) => {
                    let most = LONGEST >> 20;
                    return format!(
                        "the server `{name}` sent more than {most} MB at once, which is not read"
                    );
                }
                // Of several calls, it is not known which one it answers.
                _ => {}
            }
        }
    }

    /// A reason with the server's last output, and without secrets.
    async fn told(&self, reason: &str) -> String {
        self.stderr.settle().await;
        let mut reason = self.masked(reason);
        // It may quote a whole message.
        if reason.len() > LONGEST_REASON {
            reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
            reason.push('…');
        }
        reason + &self.stderr.lines(&self.secrets)
    }

    fn masked(&self, text: &str) -> String {
        let tokens = match (&self.server.transport, &self.config.sign_ins) {
            (Transport::Http { url, .. }, Some(sign_ins)) => sign_ins.secrets(url),
            _ => Vec::new(),
        };
        let secrets = self.secrets.iter().chain(&tokens);
        secrets.fold(text.to_owned(), |text, secret| {
            text.replace(secret.as_str(), "***")
        })
    }
}

/// Whether the server refused for want of a token, or of a new one.
fn wants_sign_in(error: &(dyn Error + Send + Sync + 'static)) -> bool {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(cause) = next {
        let refused = cause.downcast_ref::<StreamableHttpError<reqwest::Error>>();
        let tokens = cause.downcast_ref::<AuthError>();
        if matches!(refused, Some(StreamableHttpError::AuthRequired(_)))
            || matches!(tokens, Some(AuthError::AuthorizationRequired))
        {
            return true;
        }
        next = cause.source();
    }
    false
}

fn failure(text: String) -> ToolAnswer {
    ToolAnswer { text, is_error: true }
}

fn parsed(arguments: &str) -> Result<JsonObject, String> {
    if arguments.trim().is_empty() {
        return Ok(JsonObject::new());
    }
    serde_json::from_str(arguments).map_err(|error| format!("the arguments are not a JSON object: {error}"))
}

fn as_headers(headers: &BTreeMap<String, String>) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let header = |(name, value): (&String, &String)| {
        let key = HeaderName::try_from(name).map_err(|_| format!("`{name}` is not a header name"))?;
        let mut value = HeaderValue::try_from(value).map_err(|_| format!("`{name}` has an invalid value"))?;
        value.set_sensitive(true);
        Ok((key, value))
    };
    headers.iter().map(header).collect()
}
