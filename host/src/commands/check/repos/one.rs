//! The check of one repository.

use std::collections::BTreeSet;

use callsheet::Callsheet;
use callsheet::Trace;
use callsheet::config::{Config, Known, Skips};
use callsheet::output::{concise, json_v1};
use callsheet::projects::{Report, Request};
use callsheet::types::Severity;

use super::cache::{Cache, Kept, Said, digest};
use crate::cli::{Check, Options};
use crate::commands::check::chosen::Chosen;
use crate::commands::check::work;
use crate::commands::{configuration, sources};
use crate::exit::Failure;

/// A repository, and what a check says of it.
pub(super) struct Checked {
    pub(super) path: String,
    pub(super) result: Result<Kept, Failure>,
}

/// Checks repositories, each with its own configuration and without the home directory.
pub(super) struct Checker<'a, L> {
    pub(super) options: &'a Options,
    /// The library for a project.
    pub(super) library: L,
    pub(super) command: &'a Check,
    pub(super) chosen: &'a Chosen<'a>,
    pub(super) cache: &'a Cache,
    pub(super) known: &'a Known,
}

impl<L: Fn(&Options) -> Result<Callsheet, Failure>> Checker<'_, L> {
    /// What an earlier check said, if it would say the same.
    pub(super) fn check(&self, path: &str) -> Result<Kept, Failure> {
        let options = Options {
            project: path.into(),
            no_home: true,
            ..self.options.clone()
        };
        let mut callsheet = (self.library)(&options)?;
        let config = configuration::read(&options, self.known)?;
        let digest = config.written.as_ref().map(|written| {
            // Its patterns and folders are below its own.
            let place = callsheet.name_of_project(&sources::folder(&config));
            digest(format!("{place:?} {}", written.text).as_bytes())
        });
        let skips = Skips::new(&config, &[]);
        let is_skipped = |(file, was): &(String, bool)| skips.of(file).is_some() == *was;
        let known = self.cache.get(path);
        let known = known.filter(|kept| kept.config == digest && kept.skipped.iter().all(is_skipped));
        if let Some(kept) = known
            && callsheet.reads_alike(&kept.trace)?
        {
            return Ok(kept.clone());
        }
        let request = Request {
            dialect: options.dialect.clone().or_else(|| config.dialect.clone()),
            targets: match &*self.command.target {
                [] => config.targets.clone(),
                targets => targets.to_vec(),
            },
            paths: Vec::new(),
        };
        let build = sources::of(&config, &callsheet);
        let (report, trace) = callsheet.check_traced(&request, build.as_ref())?;
        Ok(self.kept(path, report, trace, &config, digest))
    }

    fn kept(
        &self,
        path: &str,
        mut report: Report,
        trace: Trace,
        config: &Config,
        digest: Option<String>,
    ) -> Kept {
        let skips = Skips::new(config, &[]);
        let files: BTreeSet<String> = work::files(&report).cloned().collect();
        let skip = |file: String| {
            let is_skipped = skips.of(&file).is_some();
            (file, is_skipped)
        };
        let skipped: Vec<(String, bool)> = files.into_iter().map(skip).collect();
        work::leave_out(&mut report, |file| {
            let at = skipped.binary_search_by(|(known, _)| known.cmp(file));
            at.is_ok_and(|at| skipped[at].1)
        });
        let mut checked = work::checked(report, config, !self.command.no_ignore);
        checked
            .findings
            .retain(|finding| self.chosen.has(&finding.diagnostic));
        let lines = checked.reported();
        let said = Said {
            files: checked.files,
            errors: checked.count(Severity::Error),
            warnings: checked.count(Severity::Warning),
            notes: checked.count(Severity::Note),
            lines: lines
                .map(|finding| concise::diagnostic(&finding.diagnostic))
                .collect(),
            document: json_v1::kept(&checked),
        };
        Kept {
            path: path.to_owned(),
            trace,
            config: digest,
            skipped,
            said,
            is_new: true,
        }
    }
}
