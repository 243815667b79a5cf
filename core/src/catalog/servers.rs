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
use crate::yaml::Node;

/// The files of a project that may configure servers.
pub(super) fn files(dialect: &Dialect, project: &str) -> impl Iterator<Item = String> {
    dialect.servers.files.iter().map(move |file| join(project, file))
}

/// The servers that such a file configures, by name; none if it is not read.
pub(crate) fn configured<'a>(dialect: &Dialect, root: &'a Node) -> Option<impl Iterator<Item = &'a str>> {
    let servers = root.get(&dialect.servers.key)?;
    Some(servers.entries().iter().filter_map(|entry| entry.key.as_text()))
}

pub(super) fn names(servers: Vec<Server>) -> Vec<String> {
    servers.into_iter().map(|server| server.name).collect()
}

impl Catalog {
    /// The files of the project that may configure servers.
    pub(crate) fn server_files(&self) -> impl Iterator<Item = String> {
        files(&self.dialect, &self.options.project)
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
            let root = settings::read(&path, &Source::new(&bytes), self.dialect.servers.comments).ok();
            let names = root.as_ref().and_then(|root| configured(&self.dialect, root));
            if let Some(names) = names {
                let found = found.get_or_insert_with(Vec::new);
                found.extend(names.map(|name| Server::new(name, &path, &self.options.project)));
            }
        }
        found
    }
}
