//! How a product's MCP servers are configured in a project.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::settings::Json;

/// How a product's MCP servers are configured in a project.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ServerRules {
    /// The files, relative to the project.
    #[serde(default)]
    pub files: Vec<String>,
    /// Names beside them: one has to be there to show that the product is used, since other products read such files, too. Empty if none is needed.
    #[serde(default)]
    pub beside: Vec<String>,
    /// The key of the map of servers.
    #[serde(default)]
    pub key: String,
    /// The key of the map in files that do not have that one.
    #[serde(default)]
    pub other_key: Option<String>,
    /// How the files are read.
    #[serde(default)]
    pub json: Json,
    /// Whether agents are expected to use only servers of these files: the rule `unknown-server` reports others.
    #[serde(default)]
    pub expected: bool,
    /// The keys of a server's address.
    #[serde(default)]
    pub addresses: Vec<String>,
    /// The types of servers with an address, which they require; none if the address is enough.
    #[serde(default)]
    pub types: Vec<String>,
    /// The names of the product's own servers.
    #[serde(default)]
    pub reserved: Vec<String>,
}
