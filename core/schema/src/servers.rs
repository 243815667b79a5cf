//! How a product's MCP servers are configured in a project.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// How a product's MCP servers are configured in a project.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ServerRules {
    /// The files, relative to the project.
    #[serde(default)]
    pub files: Vec<String>,
    /// What there is beside them if the product is used, as other products read such files, too; empty for nothing.
    #[serde(default)]
    pub beside: Vec<String>,
    /// The key of the map of servers.
    #[serde(default)]
    pub key: String,
    /// Whether the files may have comments.
    #[serde(default)]
    pub comments: bool,
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
