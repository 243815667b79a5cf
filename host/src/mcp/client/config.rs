//! Servers as defined in files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http::header::AUTHORIZATION;
use serde::Deserialize;
use serde_json::Value;

use super::sign_ins::SignIns;
use crate::Say;
use crate::confine::Confinement;
use crate::delegation::Reach;

/// Looks up a variable.
pub type LookUp = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// A server as written: variables are not expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// The file that defines it.
    pub source: String,
    /// Its transport.
    pub transport: Transport,
}

/// The transport of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A program to start.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Its variables, besides the few that every program needs.
        env: BTreeMap<String, String>,
    },
    /// By streamable HTTP.
    Http {
        /// The URL.
        url: String,
        /// Headers of every request.
        headers: BTreeMap<String, String>,
    },
}

impl Transport {
    /// Whether the file gives it a token, so that the user need not sign in.
    pub fn has_token(&self) -> bool {
        let Self::Http { headers, .. } = self else {
            return false;
        };
        headers
            .keys()
            .any(|name| name.eq_ignore_ascii_case(AUTHORIZATION.as_str()))
    }
}

impl Server {
    /// A canonical form of the whole definition: an approval is for it.
    pub fn definition(&self) -> String {
        // Debug output of strings and sorted maps is unique for each value.
        format!("{}: {:?}", self.name, self.transport)
    }

    /// The effect of starting it, for display. Values of variables and headers are hidden: they may be secret.
    pub fn deed(&self) -> String {
        match &self.transport {
            Transport::Stdio { command, args, env } => {
                let mut out = format!(
                    "run `{}`",
                    [std::slice::from_ref(command), args].concat().join(" ")
                );
                let names: Vec<&str> = env.keys().map(String::as_str).collect();
                if !names.is_empty() {
                    let _ = write!(out, " with {}", names.join(", "));
                }
                out
            }
            Transport::Http { url, .. } => format!("ask {url}"),
        }
    }
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "mcpServers", default)]
    servers: BTreeMap<String, Value>,
}

/// One server as in files: JSON, TOML or the frontmatter of an agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a server with `command` or `url`")]
pub(crate) struct Entry {
    #[serde(rename = "type")]
    kind: Option<String>,
    command: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    url: Option<String>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
}

/// The keys of an entry.
const KEYS: [&str; 6] = ["type", "command", "args", "env", "url", "headers"];

/// The servers of a `.mcp.json`, sorted by name, and the problems of others.
///
/// Fails with the problem if the text is not such a file.
pub fn servers_of_file(source: &str, text: &str) -> Result<(Vec<Server>, Vec<String>), String> {
    let wrong = |error: serde_json::Error| format!("{source}: not a list of servers: {error}");
    let text = text.trim_start_matches('\u{feff}');
    let file: File = serde_json::from_str(text).map_err(wrong)?;
    Ok(read(source, file.servers))
}

/// The servers of an agent's file, sorted by name, and the problems of others. `said` is the contract's value: a map, or a list of names
/// and maps.
pub fn servers_of_agent(source: &str, said: &str) -> (Vec<Server>, Vec<String>) {
    let maps = match serde_json::from_str(said) {
        Ok(Value::Array(items)) => items,
        Ok(value) => vec![value],
        Err(_) => Vec::new(),
    };
    let maps = maps.into_iter().filter_map(|item| match item {
        Value::Object(map) => Some(map),
        _ => None,
    });
    read(source, maps.flatten().collect())
}

fn read(source: &str, entries: BTreeMap<String, Value>) -> (Vec<Server>, Vec<String>) {
    let (mut servers, mut problems) = (Vec::new(), Vec::new());
    for (name, mut entry) in entries {
        // Other products have further keys.
        if let Value::Object(entry) = &mut entry {
            entry.retain(|key, _| KEYS.contains(&key.as_str()));
        }
        let entry: Result<Entry, _> = serde_json::from_value(entry);
        match entry
            .map_err(|error| error.to_string())
            .and_then(Entry::transport)
        {
            Ok(transport) => servers.push(Server {
                name,
                source: source.to_owned(),
                transport,
            }),
            Err(reason) => problems.push(format!("{source}: the server `{name}` is ignored: {reason}")),
        }
    }
    (servers, problems)
}

impl Entry {
    /// The transport of the server, or its problem.
    pub(crate) fn transport(self) -> Result<Transport, String> {
        match (self.kind.as_deref(), self.command, self.url) {
            (None | Some("stdio" | "local"), Some(command), None) if !command.trim().is_empty() => {
                Ok(Transport::Stdio {
                    command,
                    args: self.args,
                    env: self.env,
                })
            }
            (Some("http" | "streamable-http") | None, None, Some(url)) if !is_address(&url) => {
                Err("its `url` does not begin with `https://` or `http://`".into())
            }
            (Some("http" | "streamable-http") | None, None, Some(url)) => Ok(Transport::Http {
                url,
                headers: self.headers,
            }),
            (Some("sse"), ..) => Err("servers of type `sse` are obsolete; use its `http` URL".into()),
            (Some("stdio" | "local") | None, None, None) => {
                Err("it has neither a `command` nor a `url`".into())
            }
            (Some("http" | "streamable-http"), _, None) => Err("it has no `url`".into()),
            (Some(kind), ..) if !matches!(kind, "stdio" | "local" | "http" | "streamable-http") => {
                Err(format!("unknown type `{kind}`; use `stdio` or `http`"))
            }
            _ => Err("it must have either a `command` or a `url`".into()),
        }
    }
}

/// Whether it may be an address of a server: what a variable at its start has is seen later.
fn is_address(url: &str) -> bool {
    ["https://", "http://", "${"]
        .iter()
        .any(|start| url.starts_with(start))
}

/// The settings of connections.
#[derive(Clone)]
pub struct ServersConfig {
    /// The servers. Unapproved ones are reported and not started.
    pub servers: Vec<Server>,
    /// Their working directory.
    pub directory: PathBuf,
    /// Looks up a variable of a definition.
    pub environment: LookUp,
    /// How long a server may take to start and to list its tools.
    pub start_timeout: Duration,
    /// How long a call may take.
    pub call_timeout: Duration,
    /// Reports what is ignored and what fails.
    pub say: Say,
    /// The confinement of servers that are started here; without it they have the user's permissions.
    pub confined: Option<(Arc<Confinement>, Reach)>,
    /// The servers that the user signed in to.
    pub sign_ins: Option<SignIns>,
}

impl ServersConfig {
    /// Servers with the environment of this process and the default time limits.
    pub fn new(servers: Vec<Server>, directory: impl Into<PathBuf>, say: Say) -> Self {
        Self {
            servers,
            directory: directory.into(),
            environment: Arc::new(|name| std::env::var(name).ok()),
            start_timeout: Duration::from_secs(30),
            call_timeout: Duration::from_secs(300),
            say,
            confined: None,
            sign_ins: None,
        }
    }
}
