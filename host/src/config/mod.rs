//! The contents of `callsheet.toml`: severities of rules, targets, the dialect, models, MCP servers, and permissions of agents.

mod file;
mod find;
mod models;
mod paths;
mod remember;
mod run;
mod servers;
mod skip;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use callsheet_settings::Problem;

pub use self::find::find;
pub use self::remember::remember;
pub use self::run::{Run, entry};
pub use self::skip::{Skip, Skips};
pub use crate::places::CONFIGURATION as FILE;
pub use callsheet_settings::{Checks, ConfigError, Known, Level, Position};

use self::file::File;
use self::paths::Paths;
use crate::Place;
use crate::delegation::ModelChoice;
use crate::mcp::Server;
use crate::model::{Price, Provider};
use crate::output::report::Finding;

/// The settings of one file; without one, the defaults.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// What it says about findings.
    pub checks: Checks,
    /// Model aliases. `default` is the model of agents without one.
    pub aliases: Vec<(String, ModelChoice)>,
    /// Endpoints of models, in addition to or instead of the well-known providers.
    pub providers: BTreeMap<String, Provider>,
    /// Prices by `provider:name`.
    pub prices: BTreeMap<String, Price>,
    /// What agents may do without asking. Only used if the user trusts the file.
    pub run: Run,
    /// MCP servers. Only used if the user trusts the file.
    pub servers: Vec<Server>,
    /// The file as read; none without one.
    pub written: Option<Written>,
    /// The directory that patterns are relative to.
    directory: PathBuf,
    paths: Paths,
}

/// A file as read.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its path, without links.
    pub path: PathBuf,
    /// Its contents.
    pub text: String,
}

impl Config {
    /// Reads a file. Paths in it are relative to its directory.
    ///
    /// Fails if the file cannot be read, is not valid TOML, or contains unknown names.
    pub fn load(file: &Path, home: Option<&Place>, known: &Known) -> Result<Self, ConfigError> {
        let unreadable = |error: std::io::Error| ConfigError::unreadable(file, &error);
        let text = crate::regular::text(file).map_err(unreadable)?;
        let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new("."));
        let directory = directory.canonicalize().map_err(unreadable)?;
        let path = file.canonicalize().map_err(unreadable)?;
        let read = Self::parse(&text, directory, home, known);
        let mut config = read.map_err(|problem| problem.in_file(file, &text))?;
        for server in &mut config.servers {
            server.source = file.to_string_lossy().into_owned();
        }
        config.written = Some(Written { path, text });
        Ok(config)
    }

    fn parse(text: &str, directory: PathBuf, home: Option<&Place>, known: &Known) -> Result<Self, Problem> {
        let mut file = File::parse(text)?;
        Ok(Self {
            checks: Checks::new(file.checks(), known)?,
            directory,
            paths: Paths::new(home.cloned()),
            aliases: models::aliases(file.models)?,
            providers: models::providers(file.providers)?,
            prices: models::prices(file.prices)?,
            run: file.run.into(),
            servers: servers::servers(file.mcp)?,
            written: None,
        })
    }

    /// The configured severity of this rule in this file, if any.
    pub fn level(&self, rule: &str, path: &str) -> Option<Level> {
        self.checks.level(rule, || self.below(path))
    }

    /// The path of a file from the directory of the configuration, if it is in it.
    fn below(&self, path: &str) -> Option<PathBuf> {
        let real = self.paths.real(path)?;
        Some(real.strip_prefix(&self.directory).ok()?.to_owned())
    }

    /// Whether `exclude` covers a file, by its path without links.
    fn excludes(&self, file: &Path) -> bool {
        let below = file.strip_prefix(&self.directory);
        below.is_ok_and(|below| self.checks.excludes(below))
    }

    /// Whether findings of this rule are not reported in this file.
    pub fn is_off(&self, rule: &str, path: &str) -> bool {
        self.level(rule, path) == Some(Level::Off)
    }

    /// Applies the configured severity to a finding.
    pub fn apply(&self, finding: &mut Finding) {
        let path = finding.diagnostic.primary.place.path.clone();
        self.checks.apply(finding, || self.below(&path));
    }
}
