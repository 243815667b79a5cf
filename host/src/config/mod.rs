//! The contents of `callsheet.toml`: severities of rules, targets, the dialect, models, MCP servers, and permissions of agents.

mod build;
mod error;
mod file;
mod find;
mod models;
mod paths;
mod patterns;
mod remember;
mod run;
mod servers;
mod severities;
mod skip;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use globset::GlobSet;

pub use self::error::{ConfigError, Position};
pub use self::file::{Known, Level};
pub use self::find::find;
pub use self::remember::remember;
pub use self::run::Run;
pub use self::skip::{Skip, Skips};
pub use crate::places::CONFIGURATION as FILE;

use self::file::File;
use self::paths::Paths;
use self::severities::Severities;
use crate::Place;
use crate::delegation::ModelChoice;
use crate::mcp::Server;
use crate::model::{Price, Provider};
use crate::output::report::{Finding, Suppression};
use crate::projects::Build;

/// The settings of one file; without one, the defaults.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The default dialect.
    pub dialect: Option<String>,
    /// The tools that the files are written for: a dialect, or one of its releases as in `kode@2.0.2`. Sorted.
    pub targets: Vec<String>,
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
    /// The agents that `build` compiles, and to what.
    pub build: Option<Build>,
    /// The file as read; none without one.
    pub written: Option<Written>,
    severities: Severities,
    /// Files that are not checked.
    exclude: GlobSet,
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

    fn parse(
        text: &str,
        directory: PathBuf,
        home: Option<&Place>,
        known: &Known,
    ) -> Result<Self, error::Problem> {
        let file = File::parse(text)?;
        file.check(known)?;
        let severities = Severities::new(&file)?;
        let dialect = file.dialect.map(toml::Spanned::into_inner);
        Ok(Self {
            severities,
            exclude: patterns::patterns(&file.exclude)?,
            directory,
            build: file.build.map(|build| build.read(dialect.as_ref())).transpose()?,
            paths: Paths::new(home.cloned()),
            dialect,
            targets: sorted(file.targets),
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
        let below = || {
            Some(
                self.paths
                    .real(path)?
                    .strip_prefix(&self.directory)
                    .ok()?
                    .to_owned(),
            )
        };
        self.severities.level(rule, below)
    }

    /// Whether `exclude` covers a file, by its path without links.
    fn excludes(&self, file: &Path) -> bool {
        let below = file.strip_prefix(&self.directory);
        below.is_ok_and(|below| self.exclude.is_match(below))
    }

    /// Whether findings of this rule are not reported in this file.
    pub fn is_off(&self, rule: &str, path: &str) -> bool {
        self.level(rule, path) == Some(Level::Off)
    }

    /// Applies the configured severity to a finding.
    pub fn apply(&self, finding: &mut Finding) {
        let diagnostic = &mut finding.diagnostic;
        let Some(level) = self.level(&diagnostic.rule, &diagnostic.primary.place.path) else {
            return;
        };
        match level.severity() {
            Some(severity) => diagnostic.severity = severity,
            None => finding.suppressed = finding.suppressed.or(Some(Suppression::Configuration)),
        }
    }
}

/// Each target once.
fn sorted(targets: Vec<toml::Spanned<String>>) -> Vec<String> {
    let targets = targets.into_iter().map(toml::Spanned::into_inner);
    targets.collect::<BTreeSet<_>>().into_iter().collect()
}
