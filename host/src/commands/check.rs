//! `check`: what is wrong with agent files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use callsheet::documents::Parsed;
use callsheet::output::report::{Checked, Finding};
use callsheet::output::{concise, json_v1, text};
use callsheet::types::{Diagnostic, Severity};

use super::context::Context;
use crate::cli::Format;
use crate::exit::{Exit, Failure};

pub(super) fn run(context: &mut Context, paths: &[PathBuf]) -> Result<Exit, Failure> {
    let mut work = Work::default();
    if paths.is_empty() {
        work.catalogs(context)?;
    } else {
        work.paths(context, paths)?;
    }
    let checked = Checked::new(work.files, work.findings);
    print(context, &checked)?;
    let findings = checked.count(Severity::Error) + checked.count(Severity::Warning);
    Ok(match (work.failed, findings) {
        (true, _) => Exit::Trouble,
        (false, 0) => Exit::Clean,
        (false, _) => Exit::Findings,
    })
}

/// What was done so far.
#[derive(Default)]
struct Work {
    files: usize,
    findings: Vec<Finding>,
    failed: bool,
}

impl Work {
    /// What the dialects in use read, with what is wrong between files.
    fn catalogs(&mut self, context: &mut Context) -> Result<(), Failure> {
        let mut files = BTreeSet::new();
        for dialect in context.dialects()? {
            let mut catalog = context.callsheet.open(&dialect)?;
            files.extend(
                catalog
                    .entries(true)?
                    .into_iter()
                    .filter_map(|entry| entry.origin.path),
            );
            self.report(catalog.diagnostics()?, Some(dialect));
        }
        self.files = files.len();
        Ok(())
    }

    /// These files, and those below these directories, each on its own.
    fn paths(&mut self, context: &mut Context, paths: &[PathBuf]) -> Result<(), Failure> {
        let mut files = BTreeMap::new();
        for path in paths {
            match context.callsheet.discover(&path.to_string_lossy()) {
                Ok((found, diagnostics)) => {
                    self.report(diagnostics, None);
                    files.extend(found.into_iter().map(|found| (found.path, found.dialect)));
                }
                Err(error) => self.fail(context, error.into()),
            }
        }
        for (path, owner) in files {
            let dialect = context.options.dialect.clone().or(owner);
            match file(context, &path, dialect.as_deref()) {
                Ok(parsed) => self.report(parsed.diagnostics, Some(parsed.dialect)),
                Err(error @ callsheet::Error::UnknownDialect { .. }) => return Err(error.into()),
                Err(error) => self.fail(context, error.into()),
            }
            self.files += 1;
        }
        Ok(())
    }

    fn report(&mut self, diagnostics: Vec<Diagnostic>, dialect: Option<String>) {
        let dialects: Vec<String> = dialect.into_iter().collect();
        let finding = |diagnostic| Finding {
            diagnostic,
            dialects: dialects.clone(),
        };
        self.findings.extend(diagnostics.into_iter().map(finding));
    }

    /// One file that cannot be had does not hide what is wrong with the others.
    fn fail(&mut self, context: &Context, failure: Failure) {
        context.complain(&failure);
        self.failed = true;
    }
}

fn file(context: &mut Context, path: &str, dialect: Option<&str>) -> callsheet::Result<Parsed> {
    let contents = context.callsheet.read(path)?;
    context.callsheet.parse(path, &contents, dialect)
}

fn print(context: &mut Context, checked: &Checked) -> Result<(), Failure> {
    match context.format() {
        Format::Json => context.print(&json_v1::check(checked))?,
        Format::Concise => {
            for finding in &checked.findings {
                context.print(&concise::diagnostic(&finding.diagnostic))?;
            }
        }
        Format::Text => {
            context.print_excerpts(checked)?;
            if checked.files == 0 && !context.options.gives_agents() && !context.options.quiet {
                context.print("nothing to check: `callsheet list` says where agents are looked for\n")?;
            } else if !context.options.quiet {
                context.print(&format!("{}\n", text::summary(&context.look, checked)))?;
            }
        }
    }
    Ok(())
}
