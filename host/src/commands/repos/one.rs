//! One repository.

use callsheet::Callsheet;
use callsheet::Trace;
use callsheet::config::{Config, Known, Skips};

use super::cache::{Cache, Kept, digest};
use crate::cli::Options;
use crate::commands::{configuration, sources};
use crate::exit::Failure;

/// A repository, with its own configuration and without the home directory.
pub(in crate::commands) struct Opened {
    pub(in crate::commands) options: Options,
    pub(in crate::commands) callsheet: Callsheet,
    pub(in crate::commands) config: Config,
}

/// What a command says of a repository, and what this depends on besides the configuration.
pub(in crate::commands) struct Made<S> {
    pub(in crate::commands) said: S,
    /// What the component read.
    pub(in crate::commands) trace: Trace,
    /// The files in it, and whether the configuration or git excludes them.
    pub(in crate::commands) skipped: Vec<(String, bool)>,
}

/// Reads repositories.
pub(super) struct Reader<'a, S, L, W> {
    pub(super) options: &'a Options,
    /// The library for a project.
    pub(super) library: L,
    pub(super) cache: &'a Cache<S>,
    pub(super) known: &'a Known,
    pub(super) work: W,
}

impl<S, L, W> Reader<'_, S, L, W>
where
    S: Clone + serde::de::DeserializeOwned + serde::Serialize,
    L: Fn(&Options) -> Result<Callsheet, Failure>,
    W: Fn(&mut Opened) -> Result<Made<S>, Failure>,
{
    /// What an earlier run said, if this one would say the same.
    pub(super) fn read(&self, path: &str) -> Result<Kept<S>, Failure> {
        let options = Options {
            project: path.into(),
            no_home: true,
            ..self.options.clone()
        };
        let mut callsheet = (self.library)(&options)?;
        let config = configuration::read(&options, self.known)?;
        let written = config.written.as_ref().map(|written| {
            // Its patterns and folders are below its own.
            let place = callsheet.name_of_project(&sources::folder(&config));
            digest(format!("{place:?} {}", written.text).as_bytes())
        });
        let skips = Skips::new(&config, &[]);
        let is_skipped = |(file, was): &(String, bool)| skips.of(file).is_some() == *was;
        let known = self.cache.get(path);
        let known = known.filter(|kept| kept.config == written && kept.skipped.iter().all(is_skipped));
        if let Some(kept) = known
            && callsheet.reads_alike(&kept.trace)?
        {
            return Ok(kept.clone());
        }
        let mut opened = Opened {
            options,
            callsheet,
            config,
        };
        let made = (self.work)(&mut opened)?;
        Ok(Kept {
            path: path.to_owned(),
            trace: made.trace,
            config: written,
            skipped: made.skipped,
            said: made.said,
            is_new: true,
        })
    }
}
