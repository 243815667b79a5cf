//! The sources of a project, the options of a catalog, and its errors.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::dialect::{Dialect, Kind, UnknownDialect};
use crate::files::join;

/// A plugin that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// Its name.
    pub name: String,
    /// The directory of its agents.
    pub directory: String,
    /// Whether a manifest in the project declares it, and it may be one file.
    pub is_own: bool,
}

/// A project and its other sources of definitions. Paths are the host's.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The project directory, or one in it.
    pub directory: String,
    /// The directories above it in the same repository, the nearest first.
    pub ancestors: Vec<String>,
    /// The home directory.
    pub home: Option<String>,
    /// Environment variables that name a directory for which a tool leaves the home directory; the directory's name is the variable's
    /// after a `$`.
    pub variables: Vec<String>,
    /// Installed plugins, in order.
    pub plugins: Vec<Plugin>,
    /// Directories of agents given on the command line, in order.
    pub directories: Vec<String>,
    /// A JSON object of agents given on the command line.
    pub inline: Option<String>,
    /// Whether a broken file that would have won leaves its name without an agent.
    pub fail_closed: bool,
}

/// The options of a catalog.
#[derive(Clone, Debug)]
pub struct Options {
    /// The dialect.
    pub dialect: String,
    /// What the files define.
    pub kind: Kind,
    /// Where the files are.
    pub project: Project,
    /// How many parsed definitions are kept.
    pub cache_capacity: u32,
    /// Whether files are checked by every rule. Otherwise only findings that decide whether they load are reported.
    pub check: bool,
}

impl Project {
    /// The options of a catalog that keeps no definitions. Only agents are given on the command line.
    pub fn options(&self, dialect: &str, kind: Kind, check: bool) -> Options {
        let mut project = self.clone();
        if kind != Kind::Agent {
            (project.plugins, project.directories, project.inline) = (Vec::new(), Vec::new(), None);
        }
        Options {
            dialect: dialect.to_string(),
            kind,
            project,
            cache_capacity: 1,
            check,
        }
    }

    /// A path below the home directory, or where the dialect has it instead.
    pub(crate) fn at_home(&self, dialect: &Dialect, path: &str) -> Option<String> {
        let home = || Some(join(self.home.as_ref()?, path));
        dialect.relocated(path, &self.variables).or_else(home)
    }
}

/// Why a catalog could not do what it was asked.
#[derive(Clone, Debug, PartialEq)]
pub enum CatalogError {
    /// The dialect is unknown.
    UnknownDialect(UnknownDialect),
    /// The inline agents cannot be read.
    BadInline(String),
    /// An agent of this name is registered already.
    Registered(String),
    /// The dialect does not load the text as a definition.
    Unusable(String),
    /// Anything else; the reason, as one sentence without a full stop.
    Other(String),
}
