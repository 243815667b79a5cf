//! Servers as files name them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::Value;

/// A server as it is written: variables are not put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// What it goes by.
    pub name: String,
    /// The file that names it.
    pub source: String,
    /// How to reach it.
    pub transport: Transport,
}

/// How to reach a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// By a program that is started.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables that it gets besides the few that every program needs.
        env: BTreeMap<String, String>,
    },
    /// By streamable HTTP.
    Http {
        /// Where.
        url: String,
        /// Headers of every request.
        headers: BTreeMap<String, String>,
    },
}

impl Server {
    /// Everything that the definition says, the same for the same meaning: what an approval is for.
    pub fn definition(&self) -> String {
        // Debug output of strings and sorted maps has one spelling for each value.
        format!("{}: {:?}", self.name, self.transport)
    }

    /// What starting it does, for people. Values of variables and headers are not shown: they may be secret.
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

/// One server of a file, in JSON or in TOML.
#[derive(Deserialize)]
struct Entry {
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

/// The servers that a `.mcp.json` names, sorted by name, and what is wrong with the others.
///
/// Fails with what is wrong if the text is no such file.
pub fn servers_of_file(source: &str, text: &str) -> Result<(Vec<Server>, Vec<String>), String> {
    let wrong = |error: serde_json::Error| format!("{source}: this is no list of servers: {error}");
    let text = text.trim_start_matches('\u{feff}');
    let file: File = serde_json::from_str(text).map_err(wrong)?;
    let (mut servers, mut problems) = (Vec::new(), Vec::new());
    for (name, entry) in file.servers {
        match transport(entry) {
            Ok(transport) => servers.push(Server {
                name,
                source: source.to_owned(),
                transport,
            }),
            Err(reason) => problems.push(format!("{source}: the server `{name}` is ignored: {reason}")),
        }
    }
    Ok((servers, problems))
}

fn transport(entry: Value) -> Result<Transport, String> {
    let entry: Entry = serde_json::from_value(entry).map_err(|error| error.to_string())?;
    let stdio = || Transport::Stdio {
        command: entry.command.clone().unwrap_or_default(),
        args: entry.args.clone(),
        env: entry.env.clone(),
    };
    let http = |url: &String| Transport::Http {
        url: url.clone(),
        headers: entry.headers.clone(),
    };
    match (entry.kind.as_deref(), &entry.command, &entry.url) {
        (None | Some("stdio"), Some(command), None) if !command.trim().is_empty() => Ok(stdio()),
        (Some("http" | "streamable-http") | None, None, Some(url)) => Ok(http(url)),
        (Some("sse"), ..) => {
            Err("servers of the kind `sse` are out of use; ask for its `http` address".into())
        }
        (Some("stdio") | None, None, None) => Err("it names neither a `command` nor a `url`".into()),
        (Some("http" | "streamable-http"), _, None) => Err("it names no `url`".into()),
        (Some(kind), ..) if !matches!(kind, "stdio" | "http" | "streamable-http") => Err(format!(
            "there is no kind of server `{kind}`: there is `stdio` and `http`"
        )),
        _ => Err("it has to name a `command` or a `url`, and not both".into()),
    }
}
