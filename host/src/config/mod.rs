//! What `callsheet.toml` says: how grave each rule is and where, for whom the files are written, whose rules hold, which
//! models and MCP servers there are, what agents may do.

mod error;
mod file;
mod find;
mod models;
mod remember;
mod run;
mod servers;
mod severities;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub use self::error::{ConfigError, Position};
pub use self::file::{Known, Level};
pub use self::find::find;
pub use self::remember::remember;
pub use self::run::Run;
pub use crate::places::CONFIGURATION as FILE;

use self::file::File;
use self::severities::Severities;
use crate::Place;
use crate::delegation::ModelChoice;
use crate::mcp::Server;
use crate::model::{Price, Provider};
use crate::output::report::{Finding, Suppression};

/// The settings of one file; without one, everything is as it comes.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Whose rules hold where the command line does not say.
    pub dialect: Option<String>,
    /// The systems that the files are written for: a dialect, or one of its releases as in `kode@2.0.2`. Sorted.
    pub targets: Vec<String>,
    /// Words for models. `default` is the model of those for whom nobody names one.
    pub aliases: Vec<(String, ModelChoice)>,
    /// Where models are asked besides the providers that everybody knows, or instead.
    pub providers: BTreeMap<String, Provider>,
    /// Prices by `provider:name`.
    pub prices: BTreeMap<String, Price>,
    /// What agents may do without asking. It counts only where the user trusts the file.
    pub run: Run,
    /// MCP servers. They count only where the user trusts the file.
    pub servers: Vec<Server>,
    /// The file as it was read; none without one.
    pub written: Option<Written>,
    severities: Severities,
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct Written {
    /// Where it is, without links.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
}

impl Config {
    /// Reads a file. Paths in it are relative to its directory.
    ///
    /// Fails if the file cannot be read, is no TOML, or names what is not known.
    pub fn load(file: &Path, home: Option<&Place>, known: &Known) -> Result<Self, ConfigError> {
        let unreadable = |error: std::io::Error| ConfigError::unreadable(file, &error);
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
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
        Ok(Self {
            severities: Severities::new(&file, directory, home.cloned())?,
            dialect: file.dialect.map(toml::Spanned::into_inner),
            targets: sorted(file.targets),
            aliases: models::aliases(file.models)?,
            providers: models::providers(file.providers)?,
            prices: models::prices(file.prices)?,
            run: file.run.into(),
            servers: servers::servers(file.mcp)?,
            written: None,
        })
    }

    /// How grave findings of this rule are in this file, if the configuration says so.
    pub fn level(&self, rule: &str, path: &str) -> Option<Level> {
        self.severities.level(rule, path)
    }

    /// Whether findings of this rule are not reported in this file.
    pub fn is_off(&self, rule: &str, path: &str) -> bool {
        self.level(rule, path) == Some(Level::Off)
    }

    /// Makes a finding as grave as the configuration says.
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
