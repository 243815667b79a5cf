//! Servers whose tools agents may call.

mod answer;
mod config;
mod connection;
mod expand;
mod handler;
mod lines;
mod listing;
mod names;
mod plan;
mod project;
mod sign_in;
mod sign_ins;
mod tail;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;

pub(crate) use self::config::Entry;
pub use self::config::{LookUp, Server, ServersConfig, Transport, servers_of_agent, servers_of_file};
pub use self::plan::Plan;
pub use self::project::ProjectServers;
pub use self::sign_in::{Client, url_of};
pub use self::sign_ins::SignIns;

use self::connection::Connection;
use crate::conversation::{CallError, ToolAnswer, ToolRequest, ToolSpec};
use crate::{Answer, Caller, Say, Tools};

/// Whether the user approved a server as written.
pub type Approval<'a> = &'a (dyn Fn(&Server) -> bool + Send + Sync);

/// Connected servers.
pub struct Servers {
    /// Each tool with its connection and its name there.
    tools: BTreeMap<String, (Arc<Connection>, String)>,
    /// Those that their servers call read-only.
    read_only: BTreeSet<String>,
    specs: Vec<ToolSpec>,
    connections: Vec<Arc<Connection>>,
    /// The runtime of the connections.
    runtime: Handle,
    /// Its threads, if it is our own.
    own: Option<Runtime>,
}

impl Servers {
    /// Like [`connect`](Self::connect), but blocks, on threads of its own. The servers end when this is dropped.
    ///
    /// Not to be called within a tokio runtime.
    pub fn start(config: ServersConfig, approved: Approval<'_>) -> std::io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let mut servers = runtime.block_on(Self::connect(config, approved));
        servers.own = Some(runtime);
        Ok(servers)
    }

    /// Starts approved servers in parallel, and lists the tools. Failures are reported and left out.
    ///
    /// Must be called within a tokio runtime that outlives it.
    pub async fn connect(config: ServersConfig, approved: Approval<'_>) -> Self {
        let mut starting = Vec::new();
        for server in &config.servers {
            if approved(server) {
                starting.push(tokio::spawn(Connection::start(server.clone(), config.clone())))
            } else {
                (config.say)(&ignored(server))
            }
        }
        let mut servers = Self {
            tools: BTreeMap::new(),
            read_only: BTreeSet::new(),
            specs: Vec::new(),
            connections: Vec::new(),
            runtime: Handle::current(),
            own: None,
        };
        for started in starting {
            match started.await {
                Ok(Ok((connection, tools))) => servers.add(Arc::new(connection), tools, &config.say),
                Ok(Err(reason)) => (config.say)(&reason),
                Err(error) => (config.say)(&format!("a server could not be started: {error}")),
            }
        }
        servers
    }

    fn add(&mut self, connection: Arc<Connection>, tools: Vec<rmcp::model::Tool>, say: &Say) {
        let server = connection.name().to_owned();
        for tool in tools {
            let name = names::of_tool(&server, &tool.name);
            if let Some((other, known)) = self.tools.get(&name) {
                say(&format!(
                    "the tool `{}` of the server `{server}` is left out: `{known}` of `{}` has the name `{name}`, too",
                    tool.name,
                    other.name()
                ));
                continue;
            }
            let hint = tool.annotations.as_ref().and_then(|hints| hints.read_only_hint);
            self.read_only.extend((hint == Some(true)).then(|| name.clone()));
            self.specs.push(ToolSpec {
                name: name.clone(),
                description: tool.description.unwrap_or_default().into_owned(),
                schema: serde_json::Value::Object((*tool.input_schema).clone()).to_string(),
            });
            self.tools
                .insert(name, (Arc::clone(&connection), tool.name.into_owned()));
        }
        self.connections.push(connection);
    }

    /// The tools of a server, by their names for agents.
    pub fn tools_of(&self, server: &str) -> impl Iterator<Item = &str> {
        let tools = self.tools.iter();
        let of_it = tools.filter(move |(_, (connection, _))| connection.name() == server);
        of_it.map(|(name, _)| name.as_str())
    }

    /// The tools that a server, by its name in those of its tools, calls read-only.
    pub fn read_only_of(&self, server: &str) -> Vec<String> {
        let is_its = |name: &&String| {
            let connection = self.tools.get(*name).map(|(connection, _)| connection);
            connection.is_some_and(|it| names::plain(it.name()) == server)
        };
        self.read_only.iter().filter(is_its).cloned().collect()
    }

    /// Ends the servers, and waits for their end.
    pub async fn close(&self) {
        futures_util::future::join_all(self.connections.iter().map(|it| it.close())).await;
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        let Some(runtime) = self.own.take() else {
            return;
        };
        let connections = std::mem::take(&mut self.connections);
        // It may be dropped within another runtime, where blocking is forbidden.
        let closing = std::thread::spawn(move || {
            runtime.block_on(async {
                futures_util::future::join_all(connections.iter().map(|it| it.close())).await;
            });
            runtime.shutdown_background();
        });
        // The system ends one that could not be closed.
        let _ = closing.join();
    }
}

impl Tools for Servers {
    fn specs(&self) -> Vec<ToolSpec> {
        self.specs.clone()
    }

    fn call<'a>(&'a self, request: &'a ToolRequest, _: &'a Caller) -> Answer<'a, ToolAnswer> {
        let name = &request.call.name;
        let Some((connection, tool)) = self.tools.get(name) else {
            let text = format!("unknown tool `{name}` of a server");
            return Box::pin(async { Err(CallError::Other(text)) });
        };
        let (connection, tool) = (Arc::clone(connection), tool.clone());
        let arguments = request.call.arguments.clone();
        let call = async move { connection.call(&tool, &arguments).await };
        Box::pin(Task(self.runtime.spawn(call)))
    }
}

/// A task that is aborted when its handle is dropped.
struct Task(JoinHandle<Result<ToolAnswer, CallError>>);

impl Future for Task {
    type Output = Result<ToolAnswer, CallError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let ended = Pin::new(&mut self.0).poll(context);
        ended.map(|done| done.unwrap_or_else(|error| Err(CallError::Other(error.to_string()))))
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn ignored(server: &Server) -> String {
    format!(
        "{}: the server `{}` is ignored, since it is not approved: it would {}",
        server.source,
        server.name,
        server.deed()
    )
}
