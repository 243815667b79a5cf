//! The configuration of a command.

use std::path::PathBuf;

use callsheet::config::{Config, ConfigError, Known, find};
use callsheet::output::text::clean;
use callsheet::{Callsheet, Place};

use crate::cli::Options;
use crate::exit::Failure;

/// Reads the named file, else the nearest one, unless `--no-config` is given.
pub(super) fn load(options: &Options, callsheet: &mut Callsheet) -> Result<Config, Failure> {
    let home = match &options.home {
        Some(home) => Some(Place::new(home.to_string_lossy(), home)),
        None => Place::home(),
    };
    let Some(file) = file(options, home.as_ref()) else {
        return Ok(Config::default());
    };
    let dialects = callsheet.dialects()?.into_iter().map(|dialect| dialect.id);
    let releases = callsheet.readers()?.into_iter().map(|reader| reader.id);
    let known = Known {
        rules: callsheet.rules()?.into_iter().map(|rule| rule.name).collect(),
        dialects: dialects.chain(releases).collect(),
    };
    Ok(Config::load(&file, home.as_ref(), &known)?)
}

fn file(options: &Options, home: Option<&Place>) -> Option<PathBuf> {
    match &options.config {
        Some(file) => Some(file.clone()),
        None if options.no_config => None,
        None => find(&options.project, home),
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let failure = Self::trouble(clean(&error.to_string()));
        failure.help("see docs/configuration.md for its format; `--no-config` ignores it")
    }
}
