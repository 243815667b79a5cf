//! The `[run]` table: what agents may do without asking.

use std::path::PathBuf;

use serde::Deserialize;

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
#[serde(deny_unknown_fields)]
pub(super) struct WrittenRun {
    #[serde(default)]
    allow: Vec<String>,
    permission_mode: Option<Mode>,
    #[serde(default)]
    env: Vec<String>,
    #[serde(default)]
    reads: Vec<PathBuf>,
    #[serde(default)]
    writes: Vec<PathBuf>,
    #[serde(default)]
    network: bool,
    #[serde(default)]
    private_hosts: Vec<String>,
    web_search: Option<String>,
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
