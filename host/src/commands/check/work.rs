//! Calls the library with the configuration.

use std::path::PathBuf;

use callsheet::config::Config;
use callsheet::fix::{Mended, Which};
use callsheet::output::report::Checked;
use callsheet::output::text::clean;
use callsheet::projects::{Exception, Report, Request};

use super::chosen::Chosen;
use crate::commands::context::Context;
use crate::exit::Failure;

/// The work, and whether a part of it failed.
pub(super) struct Work {
    pub(super) request: Request,
    failed: bool,
    /// Whether none of the named paths exists.
    nothing: bool,
}

impl Work {
    /// Selects the existing paths.
    pub(super) fn start(context: &Context, paths: &[PathBuf], targets: &[String]) -> Self {
        let targets = if targets.is_empty() {
            &context.config.targets
        } else {
            targets
        };
        let mut work = Self {
            request: Request {
                dialect: context.options.dialect.clone(),
                targets: targets.to_vec(),
                paths: Vec::new(),
            },
            failed: false,
            nothing: false,
        };
        for path in paths {
            let name = path.to_string_lossy().into_owned();
            match path.symlink_metadata() {
                Ok(_) => work.request.paths.push(name),
                Err(source) => work.fail(context, callsheet::Error::Path { path: name, source }.into()),
            }
        }
        work.nothing = !paths.is_empty() && work.request.paths.is_empty();
        work
    }

    /// The fixes of the files, except those that the configuration or the user turns off.
    pub(super) fn fixes(
        &self,
        context: &mut Context,
        chosen: &Chosen<'_>,
        which: Which,
    ) -> Result<Vec<Mended>, Failure> {
        if self.nothing {
            return Ok(Vec::new());
        }
        let report = context.callsheet.check(&self.request)?;
        let off = report.findings.into_iter().filter_map(|finding| {
            let found = finding.diagnostic;
            let is_chosen = chosen.has(&found);
            let path = found.primary.place.path;
            (!is_chosen || context.config.is_off(&found.rule, &path)).then_some(Exception {
                path,
                rule: found.rule,
            })
        });
        let exceptions: Vec<Exception> = off.collect();
        Ok(context.callsheet.fix(&self.request, which, &exceptions)?)
    }

    /// Whether the fixed file could be written.
    pub(super) fn write(&mut self, context: &mut Context, file: &Mended) -> bool {
        match context.callsheet.write(file) {
            Ok(()) => true,
            Err(error) => {
                self.fail(context, error.into());
                false
            }
        }
    }

    /// The findings in the current files.
    pub(super) fn check(&mut self, context: &mut Context) -> Result<Report, Failure> {
        let empty = Report {
            files: Vec::new(),
            findings: Vec::new(),
            suppressed: Vec::new(),
            counts: callsheet::projects::Counts {
                errors: 0,
                warnings: 0,
                notes: 0,
            },
            unowned: Vec::new(),
        };
        let report = if self.nothing {
            empty
        } else {
            context.callsheet.check(&self.request)?
        };
        for path in &report.unowned {
            context.remark(&format!(
                "note: {} is in no tool's agents folder and was not checked; name the dialect to check it: `--as DIALECT`",
                clean(path)
            ));
        }
        Ok(report)
    }

    /// Whether something failed.
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// One unreadable file does not hide the findings of the others.
    fn fail(&mut self, context: &Context, failure: Failure) {
        context.complain(&failure);
        self.failed = true;
    }
}

/// The report with the configured severities.
pub(super) fn checked(report: Report, config: &Config, heeds_comments: bool) -> Checked {
    let mut checked = Checked::new(report);
    for finding in &mut checked.findings {
        finding.suppressed = finding.suppressed.filter(|_| heeds_comments);
        config.apply(finding);
    }
    checked
}
