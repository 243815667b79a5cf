//! A whole project: the tools in use, the findings in its files, and the dialects that report them.
//!
//! Every file has one owner, by its place and form, and the owner's rules decide what is an error. Other tools that read the file are
//! summed up in one note, unless they are targets.

mod check;
mod plugins;
mod secrets;
#[cfg(test)]
mod tests;
mod walk;

use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use self::check::Check;
use self::secrets::Secrets;
use self::walk::is_claimed;
pub use self::walk::{Found, discover};
use crate::catalog::{self, CatalogError, Location, Options, Plugin};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Dialect, Dialects, Level};
use crate::document;
use crate::files::{FileEntry, FileError, Files};
use crate::fix::{self, Fixed, Which};
use crate::places::normal;

/// A project and its other sources of agents. Paths are the host's.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The project directory, or one in it.
    pub directory: String,
    /// The directories above it in the same repository, the nearest first.
    pub ancestors: Vec<String>,
    /// The home directory.
    pub home: Option<String>,
    /// Installed plugins, in order.
    pub plugins: Vec<Plugin>,
    /// Directories of agents given on the command line, in order.
    pub directories: Vec<String>,
    /// A JSON object of agents given on the command line.
    pub inline: Option<String>,
    /// Whether a broken file that would have won leaves its name without an agent.
    pub fail_closed: bool,
}

/// What to check, and by which dialects.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The dialect for all files; none for the owner of each file.
    pub dialect: Option<String>,
    /// Further dialects that the files must work in.
    pub targets: Vec<String>,
    /// Files and directories of the project; the whole project if empty.
    pub paths: Vec<String>,
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The files that were checked, sorted by path.
    pub files: Vec<Checked>,
    /// Findings, sorted by place, without secrets.
    pub findings: Vec<Finding>,
    /// Suppressed findings, sorted in the same way.
    pub suppressed: Vec<Finding>,
    /// The number of findings of the project.
    pub counts: Counts,
    /// Markdown files that were named, but are not recognized as agents.
    pub unowned: Vec<String>,
}

/// A file, and its dialects.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The file.
    pub path: String,
    /// The dialects that check it.
    pub dialects: Vec<String>,
    /// The kind of its source.
    pub level: Level,
    /// Whether it belongs to the project, not to the home directory or an administrator.
    pub in_project: bool,
}

/// A file that fixes change.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedFile {
    /// The file.
    pub path: String,
    /// Its current contents.
    pub before: Vec<u8>,
    /// Its fixed contents.
    pub fixed: Fixed,
}

/// A rule that is suppressed in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// The file.
    pub path: String,
    /// The rule.
    pub rule: String,
}

/// The number of findings of the project, without suppressed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Notes.
    pub notes: usize,
}

impl Counts {
    fn of(findings: &[Finding]) -> Self {
        let count = |severity| {
            let counted = |finding: &&Finding| finding.in_project && finding.diagnostic.severity == severity;
            findings.iter().filter(counted).count()
        };
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
        }
    }
}

/// A diagnostic, and the dialects that report it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The dialects that report it; none if it does not depend on one.
    pub dialects: Vec<String>,
    /// Whether a comment in the file suppresses it.
    pub suppressed: bool,
    /// Whether the file belongs to the project.
    pub in_project: bool,
}

/// The dialects with agents in the project, the home directory or a directory above, sorted by name. A directory with a common name,
/// such as `agents`, counts only if one of its files is recognized.
pub fn in_use(files: &dyn Files, dialects: &Dialects, project: &Project) -> Vec<String> {
    let is_used = |dialect: &&Rc<Dialect>| {
        let options = project.options(&dialect.id, false);
        let locations = catalog::locations(dialects, &options).unwrap_or_default();
        let mut own = locations
            .iter()
            .filter(|location| location.owned && location.level != Level::Policy);
        own.any(|location| is_there(files, dialects, dialect, &location.directory))
    };
    let used = dialects.iter().filter(is_used);
    used.map(|dialect| dialect.id.clone()).collect()
}

/// Every place that is read for this project: where its dialects look, and what agents refer to.
pub fn places(dialects: &Dialects, project: &Project) -> (Vec<Location>, Vec<String>) {
    let (mut locations, mut referred) = (Vec::new(), Vec::new());
    for dialect in dialects.iter() {
        let options = project.options(&dialect.id, true);
        locations.extend(catalog::locations(dialects, &options).unwrap_or_default());
        referred.extend(catalog::referred(dialects, &options).unwrap_or_default());
    }
    (locations, referred)
}

/// Checks a project, or some of its files. Fails only if a dialect is unknown or the agents given inline cannot be read.
pub fn check(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    request: &Request,
) -> Result<Report, CatalogError> {
    let project = &Project {
        directory: normal(&project.directory),
        ..project.clone()
    };
    let request = &Request {
        paths: request.paths.iter().map(|path| normal(path)).collect(),
        ..request.clone()
    };
    let unknown = |id: &String| dialects.get(id).map(drop).map_err(CatalogError::UnknownDialect);
    request
        .dialect
        .iter()
        .chain(&request.targets)
        .try_for_each(unknown)?;
    Check::new(files, dialects, project, request).run()
}

/// The fixed files of a project, as their dialects read them. Unchanged files, and those outside of the project, are left out. Nothing
/// is written.
///
/// Fails as [`check`] does.
pub fn fix(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    request: &Request,
    which: Which,
    left: &[Left],
) -> Result<Vec<FixedFile>, CatalogError> {
    let left: BTreeSet<(&str, &str)> = left.iter().map(|left| (&*left.path, &*left.rule)).collect();
    let report = check(files, dialects, project, request)?;
    let secrets = Secrets::of(&report.findings, &**files);
    let mut fixed = Vec::new();
    for checked in report.files.iter().filter(|checked| checked.in_project) {
        let Ok(before) = files.read(&checked.path) else {
            continue;
        };
        let find = |contents: &[u8]| {
            let parsed = checked.dialects.iter().filter_map(|dialect| {
                document::parse(
                    &checked.path,
                    contents,
                    Some(dialect),
                    Some(checked.level),
                    dialects,
                )
                .ok()
            });
            let found = parsed.flat_map(|parsed| parsed.document.diagnostics);
            found
                .filter(|found| !left.contains(&(&*checked.path, found.rule)))
                .collect()
        };
        let mut made = fix::fix(&before, which, find);
        made.applied
            .iter_mut()
            .for_each(|fix| fix.title = secrets.masked(&fix.title));
        if !made.applied.is_empty() {
            fixed.push(FixedFile {
                path: checked.path.clone(),
                before,
                fixed: made,
            });
        }
    }
    Ok(fixed)
}

impl Project {
    fn options(&self, dialect: &str, check: bool) -> Options {
        Options {
            dialect: dialect.to_string(),
            project: self.directory.clone(),
            ancestors: self.ancestors.clone(),
            home: self.home.clone(),
            plugins: self.plugins.clone(),
            directories: self.directories.clone(),
            inline: self.inline.clone(),
            cache_capacity: 1,
            fail_closed: self.fail_closed,
            check,
        }
    }
}

impl Files for Rc<dyn Files> {
    fn list(&self, path: &str) -> Result<Vec<FileEntry>, FileError> {
        (**self).list(path)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, FileError> {
        (**self).read(path)
    }
}

/// Whether a directory that a dialect owns exists and is meant for it.
fn is_there(files: &dyn Files, dialects: &Dialects, dialect: &Dialect, directory: &str) -> bool {
    match dialect.is_unmistakable(directory) {
        true => files.list(directory).is_ok(),
        false => is_claimed(files, dialects, dialect, directory),
    }
}
