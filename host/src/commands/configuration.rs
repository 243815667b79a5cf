//! The configuration of a command.

use std::path::PathBuf;

use callsheet::config::{Config, ConfigError, Known, find};
use callsheet::output::text::clean;
use callsheet::{Callsheet, Place};

use crate::cli::Options;
use crate::exit::Failure;

/// Reads the named file, else the nearest one, unless `--no-config` is given.
pub(super) fn load(options: &Options, callsheet: &mut Callsheet) -> Result<Config, Failure> {
    match file(options, home(options).as_ref()) {
        None => Ok(Config::default()),
        Some(_) => read(options, &known(callsheet)?),
    }
}

/// The names that a configuration may use.
pub(super) fn known(callsheet: &mut Callsheet) -> Result<Known, Failure> {
    let dialects = callsheet.dialects()?.into_iter().map(|dialect| dialect.id);
    let releases = callsheet.readers()?.into_iter().map(|reader| reader.id);
    Ok(Known {
        rules: callsheet.rules()?.into_iter().map(|rule| rule.name).collect(),
        dialects: dialects.chain(releases).collect(),
    })
}

/// Like [`load`], with the names.
pub(super) fn read(options: &Options, known: &Known) -> Result<Config, Failure> {
    let home = home(options);
    match file(options, home.as_ref()) {
        None => Ok(Config::default()),
        Some(file) => Ok(Config::load(&file, home.as_ref(), known)?),
    }
}

fn home(options: &Options) -> Option<Place> {
    match &options.home {
        Some(home) => Some(Place::new(home.to_string_lossy(), home)),
        None => Place::home(),
    }
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
