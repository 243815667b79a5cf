//! Calls the library with the configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use callsheet::config::{Config, Skip, Skips};
use callsheet::fix::{FixedFile, Which};
use callsheet::output::report::{self, Checked};
use callsheet::output::text::clean;
use callsheet::projects::{Build, Exception, Finding, Report, Request};
use callsheet::types::Severity;

use super::chosen::Chosen;
use crate::commands::context::Context;
use crate::commands::sources;
use crate::exit::Failure;

/// The work, and whether a part of it failed.
pub(super) struct Work {
    pub(super) request: Request,
    build: Option<Build>,
    failed: bool,
    /// Whether none of the named paths exists.
    nothing: bool,
    /// Whether files were left out.
    skipped: bool,
}

impl Work {
    /// Takes one path, which need not exist.
    pub(super) fn of_input(context: &Context, path: String, targets: &[String]) -> Self {
        Self::of(context, vec![path], targets)
    }

    fn of(context: &Context, paths: Vec<String>, targets: &[String]) -> Self {
        let targets = match targets {
            [] => &context.config.checks.targets,
            _ => targets,
        };
        Self {
            request: Request {
                dialect: context.options.dialect.clone(),
                targets: targets.to_vec(),
                paths,
            },
            build: sources::of_project(context),
            failed: false,
            nothing: false,
            skipped: false,
        }
    }

    /// Selects the existing paths.
    pub(super) fn start(context: &Context, paths: &[PathBuf], targets: &[String]) -> Self {
        let mut work = Self::of(context, Vec::new(), targets);
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
    ) -> Result<Vec<FixedFile>, Failure> {
        if self.nothing {
            return Ok(Vec::new());
        }
        let report = context.callsheet.check(&self.request, self.build.as_ref())?;
        let skips = Skips::new(&context.config, &self.request.paths);
        let off = report.findings.into_iter().filter_map(|finding| {
            let found = finding.diagnostic;
            let is_chosen = chosen.has(&found);
            let path = found.primary.place.path;
            let is_off = || context.config.is_off(&found.rule, &path) || skips.of(&path).is_some();
            (!is_chosen || is_off()).then_some(Exception {
                path,
                rule: found.rule,
            })
        });
        let exceptions: Vec<Exception> = off.collect();
        Ok(context.callsheet.fix(&self.request, which, &exceptions)?)
    }

    /// The problems of each file of the project.
    pub(super) fn problems(
        &self,
        context: &mut Context,
        chosen: &Chosen<'_>,
    ) -> Result<BTreeMap<String, Vec<report::Finding>>, Failure> {
        let mut problems: BTreeMap<String, Vec<report::Finding>> = BTreeMap::new();
        if self.nothing {
            return Ok(problems);
        }
        let report = context.callsheet.check(&self.request, self.build.as_ref())?;
        let skips = Skips::new(&context.config, &self.request.paths);
        for finding in checked(report, &context.config, true).findings {
            let found = &finding.diagnostic;
            let path = &found.primary.place.path;
            let is_problem = found.severity != Severity::Note && finding.is_reported() && finding.in_project;
            if is_problem && chosen.has(found) && skips.of(path).is_none() {
                problems.entry(path.clone()).or_default().push(finding);
            }
        }
        Ok(problems)
    }

    /// Whether the fixed file could be written.
    pub(super) fn write(&mut self, context: &mut Context, file: &FixedFile) -> bool {
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
            others: Vec::new(),
            findings: Vec::new(),
            suppressed: Vec::new(),
            counts: callsheet::projects::Counts {
                errors: 0,
                warnings: 0,
                notes: 0,
            },
            unowned: Vec::new(),
        };
        let mut report = if self.nothing {
            empty
        } else {
            context.callsheet.check(&self.request, self.build.as_ref())?
        };
        self.skipped = skip(context, &self.request, &mut report);
        for path in &report.unowned {
            context.remark(&format!(
                "note: {} is in no tool's agents folder and was not checked; name the dialect to check it: `--as DIALECT`",
                clean(path)
            ));
        }
        Ok(report)
    }

    /// Whether a remark told why nothing was checked.
    pub(super) fn has_said_why(&self) -> bool {
        self.failed || self.skipped
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

/// Leaves out what the configuration or git excludes, with a note. Whether there is any.
fn skip(context: &Context, request: &Request, report: &mut Report) -> bool {
    let skips = Skips::new(&context.config, &request.paths);
    let skipped = files(report).filter_map(|path| Some((path.clone(), skips.of(path)?)));
    let skipped: BTreeMap<String, Skip> = skipped.collect();
    leave_out(report, |path| skipped.contains_key(path));
    if let Some(first) = skipped.keys().next() {
        let count = |wanted| skipped.values().filter(|skip| **skip == wanted).count();
        let reasons = [
            (count(Skip::Excluded), "excluded"),
            (count(Skip::Ignored), "ignored by git"),
        ];
        let reasons: Vec<String> = reasons
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{count} {reason}"))
            .collect();
        let what = match skipped.len() {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        context.remark(&format!(
            "note: skipped {what} ({}); name them to check them: `callsheet check {}`",
            reasons.join(", "),
            clean(first)
        ));
    }
    !skipped.is_empty()
}

/// The files in a report.
pub(super) fn files(report: &Report) -> impl Iterator<Item = &String> {
    let found = report.findings.iter().chain(&report.suppressed);
    let found = found.map(|finding| &finding.diagnostic.primary.place.path);
    let files = report.files.iter().map(|checked| &checked.path);
    let files = files.chain(&report.others).chain(&report.unowned);
    let all: BTreeSet<&String> = files.chain(found).collect();
    all.into_iter()
}

/// Leaves files out of a report.
pub(super) fn leave_out(report: &mut Report, is_out: impl Fn(&String) -> bool) {
    let is_found = |finding: &Finding| !is_out(&finding.diagnostic.primary.place.path);
    report.files.retain(|checked| !is_out(&checked.path));
    report.findings.retain(is_found);
    report.suppressed.retain(is_found);
    report.others.retain(|path| !is_out(path));
    report.unowned.retain(|path| !is_out(path));
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
