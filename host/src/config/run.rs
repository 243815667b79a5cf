//! The `[run]` table: what agents may do without asking.

use std::path::PathBuf;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::delegation::PermissionMode;

/// What agents may do without asking, and their commands' environment. Only used if the user trusts the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Entries such as `Bash(git status)`, whose calls need no confirmation.
    pub allow: Vec<String>,
    /// The permission mode: further calls that need no confirmation.
    pub permission_mode: Option<PermissionMode>,
    /// Further environment variables of commands, besides harmless ones.
    pub environment: Vec<String>,
    /// Further files and directories that commands may read, relative to the project.
    pub reads: Vec<PathBuf>,
    /// Further files and directories that commands may write, relative to the project.
    pub writes: Vec<PathBuf>,
    /// Whether commands may use the network, regardless of their agents.
    pub network: bool,
    /// Hosts, also with a port, that agents may fetch from although their addresses are private.
    pub private_hosts: Vec<String>,
    /// The tool of an MCP server that agents search the web with: `mcp__SERVER__TOOL`.
    pub web_search: Option<String>,
}

impl Run {
    /// Whether the file does not set it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The schema of the table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct WrittenRun {
    #[serde(default, deserialize_with = "entries")]
    allow: Vec<String>,
    permission_mode: Option<Mode>,
    #[serde(default, deserialize_with = "variables")]
    env: Vec<String>,
    #[serde(default)]
    reads: Vec<PathBuf>,
    #[serde(default)]
    writes: Vec<PathBuf>,
    #[serde(default)]
    network: bool,
    #[serde(default, deserialize_with = "hosts")]
    private_hosts: Vec<String>,
    web_search: Option<String>,
}

/// An entry of `allow`: a tool, or a tool with what it is limited to in parentheses.
///
/// Fails with what is wrong: such an entry allows nothing.
pub fn entry(text: &str) -> Result<String, String> {
    let text = text.trim();
    let name = text.split('(').next().unwrap_or_default();
    let is_whole = name == text || text.ends_with(')');
    if name.trim().is_empty() || !is_whole {
        return Err(format!("invalid entry `{text}`: use `Tool` or `Tool(pattern)`"));
    }
    Ok(text.to_owned())
}

/// Whether this may be the name of an environment variable.
pub(super) fn is_variable(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_inner)
}

fn variable(name: &str) -> Result<String, String> {
    if is_variable(name) {
        return Ok(name.to_owned());
    }
    Err(format!("`{name}` is not the name of an environment variable"))
}

fn host(name: &str) -> Result<String, String> {
    if name.is_empty() || name.contains(|c: char| c == '/' || c.is_whitespace()) {
        return Err(format!("`{name}` is not a host; use `host` or `host:port`"));
    }
    Ok(name.to_ascii_lowercase())
}

fn entries<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    each(from, entry)
}

fn variables<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    each(from, variable)
}

fn hosts<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    each(from, host)
}

fn each<'de, D: Deserializer<'de>>(
    from: D,
    read: fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, D::Error> {
    let written = Vec::<String>::deserialize(from)?;
    let all = written.iter().map(|text| read(text)).collect::<Result<_, _>>();
    all.map_err(D::Error::custom)
}

/// The words for permission modes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    Plan,
    Default,
    AcceptEdits,
    Bypass,
}

impl From<WrittenRun> for Run {
    fn from(written: WrittenRun) -> Self {
        let mode = written.permission_mode.map(|mode| match mode {
            Mode::Plan => PermissionMode::Plan,
            Mode::Default => PermissionMode::Default,
            Mode::AcceptEdits => PermissionMode::AcceptEdits,
            Mode::Bypass => PermissionMode::Bypass,
        });
        Self {
            allow: written.allow,
            permission_mode: mode,
            environment: written.env,
            reads: written.reads,
            writes: written.writes,
            network: written.network,
            private_hosts: written.private_hosts,
            web_search: written.web_search,
        }
    }
}
