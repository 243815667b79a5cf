//! Finding the files, and what is wrong with them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use callsheet::catalogs::{Entry, Standing};
use callsheet::config::Config;
use callsheet::documents::{Found, Parsed};
use callsheet::fix::Mended;
use callsheet::output::report::{Checked, Finding};
use callsheet::output::text::clean;
use callsheet::types::Level;

use super::choice::Choice;
use crate::commands::context::Context;
use crate::exit::Failure;

/// Files that may be mended, with the dialects that read each.
pub(super) type Targets = BTreeMap<String, Vec<String>>;

/// What is to be done, and what was done so far.
#[derive(Default)]
pub(super) struct Work {
    /// The files that were asked for, by their paths. None: what the dialects in use read.
    named: Option<BTreeMap<String, Found>>,
    files: usize,
    findings: Vec<Finding>,
    failed: bool,
}

impl Work {
    /// Finds the files that these paths name, and those below these directories.
    pub(super) fn start(context: &mut Context, paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut work = Self::default();
        if paths.is_empty() {
            return Ok(work);
        }
        let choice = Choice::new(context)?;
        let mut files = BTreeMap::new();
        for path in paths {
            match context.callsheet.discover(&path.to_string_lossy()) {
                Ok((found, diagnostics)) => {
                    work.findings.extend(Finding::all(diagnostics, Vec::new(), None));
                    for mut found in found {
                        if choice.reads(&mut found) {
                            files.insert(found.path.clone(), found);
                        } else {
                            context.remark(&format!("note: no target reads {}", clean(&found.path)));
                        }
                    }
                }
                Err(error) => work.fail(context, error.into()),
            }
        }
        work.named = Some(files);
        Ok(work)
    }

    /// The files that may be mended.
    pub(super) fn targets(&self, context: &mut Context) -> Result<Targets, Failure> {
        if let Some(files) = &self.named {
            let target = |found: &Found| (found.path.clone(), found.dialect.iter().cloned().collect());
            return Ok(files.values().map(target).collect());
        }
        let mut targets = Targets::new();
        for dialect in context.dialects()? {
            let entries = context.callsheet.open(&dialect)?.entries(true)?;
            for path in entries.into_iter().filter_map(own_file) {
                targets.entry(path).or_default().push(dialect.clone());
            }
        }
        Ok(targets)
    }

    /// Whether the mended file could be written.
    pub(super) fn write(&mut self, context: &mut Context, file: &Mended) -> bool {
        match context.callsheet.write(file) {
            Ok(()) => true,
            Err(error) => {
                self.fail(context, error.into());
                false
            }
        }
    }

    /// Looks at the files as they are now.
    pub(super) fn check(&mut self, context: &mut Context) -> Result<(), Failure> {
        match self.named.take() {
            Some(files) => self.each(context, files),
            None => self.catalogs(context),
        }
    }

    /// Whether something could not be done.
    pub(super) fn failed(&self) -> bool {
        self.failed
    }

    /// What was found, and whether something could not be done.
    pub(super) fn finish(mut self, config: &Config, heeds_comments: bool) -> (Checked, bool) {
        for finding in &mut self.findings {
            finding.suppressed = finding.suppressed.filter(|_| heeds_comments);
            config.apply(finding);
        }
        (Checked::new(self.files, self.findings), self.failed)
    }

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
            let (found, suppressed) = (catalog.diagnostics()?, catalog.suppressed()?);
            self.findings
                .extend(Finding::all(found, suppressed, Some(&dialect)));
        }
        self.files = files.len();
        Ok(())
    }

    /// These files, each on its own.
    fn each(&mut self, context: &mut Context, files: BTreeMap<String, Found>) -> Result<(), Failure> {
        for found in files.values() {
            match file(context, found) {
                Ok(parsed) => {
                    let (found, suppressed) = (parsed.diagnostics, parsed.suppressed);
                    self.findings
                        .extend(Finding::all(found, suppressed, Some(&parsed.dialect)));
                    self.files += 1;
                }
                Err(error @ callsheet::Error::UnknownDialect { .. }) => return Err(error.into()),
                Err(error) => self.fail(context, error.into()),
            }
        }
        Ok(())
    }

    /// One file that cannot be had does not hide what is wrong with the others.
    fn fail(&mut self, context: &Context, failure: Failure) {
        context.complain(&failure);
        self.failed = true;
    }
}

/// The file of an agent of the project, or of a directory that was named. Those of the user and of administrators are
/// mended only where they are named, too: a command in one project is not to change what others read.
fn own_file(entry: Entry) -> Option<String> {
    let here = matches!(
        entry.origin.level,
        Level::Project | Level::CommandLine | Level::Plugin
    );
    let mendable = here && entry.standing != Standing::NotAnAgent;
    entry.origin.path.filter(|_| mendable)
}

fn file(context: &mut Context, found: &Found) -> callsheet::Result<Parsed> {
    let contents = context.callsheet.read(&found.path)?;
    context.callsheet.parse_found(found, &contents)
}
