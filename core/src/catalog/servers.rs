//! The MCP servers that a project and its agents configure.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Catalog, Standing};
use crate::dialect::Dialect;
use crate::files::join;
use crate::limits::FILE_BYTES;
use crate::references::Server;
use crate::settings;
use crate::source::Source;
use crate::yaml::{Kind, Node};

/// The files of a project that may configure servers.
pub(super) fn files(dialect: &Dialect, project: &str) -> impl Iterator<Item = String> {
    dialect.servers.files.iter().map(move |file| join(project, file))
}

/// The key of the servers in manifests and in other files of plugins.
pub(crate) const OF_PLUGINS: &str = "mcpServers";

/// The map of servers in such a file. That of a plugin may have another key; of Claude Code's, it may have nothing else.
pub(crate) fn map<'a>(dialect: &Dialect, root: &'a Node, is_of_plugin: bool) -> Option<&'a Node> {
    let rules = &dialect.servers;
    let is_server = |node: &Node| {
        let mut addresses = rules.addresses.iter();
        node.get("command").is_some() || addresses.any(|key| node.get(key).is_some())
    };
    let own = root
        .get(&rules.key)
        .or_else(|| root.get(rules.other_key.as_ref()?));
    if !is_of_plugin || own.is_some() {
        return own;
    }
    let is_map =
        || dialect.plugin_source.is_some() && root.entries().iter().any(|entry| is_server(&entry.value));
    root.get(OF_PLUGINS).or_else(|| is_map().then_some(root))
}

/// The names of the servers in a map.
pub(crate) fn named(servers: &Node) -> impl Iterator<Item = &str> {
    let entries = servers.entries().iter();
    let entries = entries.filter(|entry| matches!(entry.value.kind, Kind::Mapping(_)));
    entries.filter_map(|entry| entry.key.as_text())
}

pub(super) fn names(servers: Vec<Server>) -> Vec<String> {
    servers.into_iter().map(|server| server.name).collect()
}

impl Catalog {
    /// The files of the project that may configure servers.
    pub(crate) fn server_files(&self) -> impl Iterator<Item = String> {
        files(&self.dialect, &self.options.project.directory)
    }

    /// The MCP servers that the project and the active files configure.
    pub(crate) fn configured_servers(&self) -> Vec<Server> {
        let mut servers = self.project_servers().unwrap_or_default();
        for (index, standing) in self.ranking.order() {
            let item = &self.items[index];
            if let (Standing::Active, Some(path)) = (standing, &item.path) {
                let own = item.mentions.own_servers.iter();
                servers.extend(own.map(|own| Server::new(&own.name, path, path)));
            }
        }
        servers
    }

    /// The names of the MCP servers that the project configures.
    pub(crate) fn server_names(&self) -> Vec<String> {
        self.project_servers().map(names).unwrap_or_default()
    }

    /// The MCP servers that the project configures; none if no file does.
    pub(super) fn project_servers(&self) -> Option<Vec<Server>> {
        let mut found = None;
        for path in self.server_files() {
            let bytes = self.files.read(&path).unwrap_or_default();
            if bytes.len() > FILE_BYTES {
                continue;
            }
            let root = settings::read(&path, &Source::new(&bytes), self.dialect.servers.json).ok();
            let servers = root.as_ref().and_then(|root| map(&self.dialect, root, false));
            if let Some(servers) = servers {
                let found = found.get_or_insert_with(Vec::new);
                found.extend(
                    named(servers).map(|name| Server::new(name, &path, &self.options.project.directory)),
                );
            }
        }
        found
    }
}
