//! The project of a call.

use callsheet_contract::catalogs::{Catalog, Options};
use callsheet_contract::projects::{self, Location, Plugin, Sources};
use callsheet_contract::types::{Kind, Level};

use crate::Failure;

/// The options of all catalogs.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The name of the project directory.
    pub name: String,
    /// The directories above it in the same repository, nearest first.
    pub ancestors: Vec<String>,
    /// The home directory.
    pub home: Option<String>,
    /// Plugins with their directories.
    pub plugins: Vec<(String, String)>,
    /// Directories of agents.
    pub directories: Vec<String>,
    /// A JSON object of agents.
    pub inline: Option<String>,
    /// Whether a broken file leaves its name without an agent.
    pub fail_closed: bool,
}

impl Project {
    /// Opens a catalog; with `check`, files are checked against all rules.
    ///
    /// Fails with [`Failure::UnknownDialect`] for an unknown dialect, and with [`Failure::BadInline`] if the inline agents
    /// cannot be read.
    pub fn open(&self, dialect: &str, check: bool) -> Result<Catalog, Failure> {
        let options = Options {
            dialect: dialect.to_owned(),
            kind: Kind::Agent,
            // Each definition is read at most once.
            cache_capacity: 1,
            check,
        };
        Catalog::open(&self.contract(), &options).map_err(|error| Failure::catalog(error, dialect))
    }

    /// The folders that a dialect searches, lowest precedence first.
    ///
    /// Fails with [`Failure::UnknownDialect`] for an unknown dialect.
    pub fn locations(&self, dialect: &str) -> Result<Vec<Location>, Failure> {
        let locations = self.contract().locations(dialect, Kind::Agent);
        locations.map_err(|error| Failure::catalog(error, dialect))
    }

    /// The directory for new files of this kind and level, if the dialect has one.
    ///
    /// Fails with [`Failure::UnknownDialect`] for an unknown dialect.
    pub fn own_directory(&self, dialect: &str, kind: Kind, level: Level) -> Result<Option<String>, Failure> {
        let directory = self.contract().own_directory(dialect, kind, level);
        directory.map_err(|error| Failure::catalog(error, dialect))
    }

    /// The dialects in use here, sorted by name.
    pub fn dialects_in_use(&self) -> Vec<String> {
        self.contract().in_use(Kind::Agent)
    }

    /// The component's project.
    pub fn contract(&self) -> projects::Project {
        let plugin = |(name, directory): &(String, String)| Plugin {
            name: name.clone(),
            directory: directory.clone(),
        };
        projects::Project::open(&Sources {
            directory: self.name.clone(),
            ancestors: self.ancestors.clone(),
            home: self.home.clone(),
            variables: Vec::new(),
            plugins: self.plugins.iter().map(plugin).collect(),
            directories: self.directories.clone(),
            inline: self.inline.clone(),
            fail_closed: self.fail_closed,
        })
    }
}
