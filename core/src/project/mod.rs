//! A whole project: the tools in use, the findings in its files, and the dialects that report them.
//!
//! Every file has one owner, by its place and form, and the owner's rules decide what is an error. Other tools that read the file are
//! summed up in one note, unless they are targets.

mod check;
mod complete;
mod compose;
mod edits;
mod evals;
mod fix;
mod graph;
mod guess;
pub mod installed;
mod instructions;
mod inventory;
mod listed;
mod manifests;
mod named;
mod opened;
mod patterns;
mod plugins;
mod references;
mod rename;
mod secrets;
mod settings;
#[cfg(test)]
pub(crate) mod tests;
mod tops;
mod view;
mod walk;

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

pub use self::check::check;
pub use self::complete::{Spot, complete};
pub use self::compose::compose;
pub use self::fix::{FixedFile, Left, fix};
pub use self::graph::{Edge, Graph, Node};
pub use self::guess::{Guessed, guess};
pub use self::inventory::{Asset, Hook, Inventory, Permission, Reached, Server, inventory};
pub use self::named::NodeKind;
pub use self::rename::{Renaming, Rewritten, rename};
pub use self::tops::root;
pub use self::view::{Part, Scope, graph};
use self::walk::is_claimed;
pub use self::walk::{Found, discover};
pub use crate::catalog::Project;
use crate::catalog::{self, CatalogError, Location};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dialect::{Dialect, Dialects, Kind, Level};
use crate::files::{FileEntry, FileError, Files};
pub use crate::offered::Verdict;
use crate::places::{below, inside, normal};

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
    /// Settings, instructions and manifests that were checked, sorted.
    pub others: Vec<String>,
    /// Markdown files that were named, but have no owner.
    pub unowned: Vec<String>,
}

/// A file, and its dialects.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The file.
    pub path: String,
    /// What it defines.
    pub kind: Kind,
    /// The dialects that check it; none for a file that is only compiled.
    pub dialects: Vec<String>,
    /// The kind of its source.
    pub level: Level,
    /// Whether it belongs to the project, not to the home directory or an administrator.
    pub in_project: bool,
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

/// The dialects with files of this kind in the project, one of its plugins, the home directory or a directory above, sorted by name. A directory
/// with a common name, such as `agents`, counts only if one of its files is recognized.
pub fn in_use(files: &dyn Files, dialects: &Dialects, project: &Project, kind: Kind) -> Vec<String> {
    let used: Vec<&Rc<Dialect>> = used(files, dialects, project, kind).collect();
    let is_used = |dialect: &Rc<Dialect>| {
        let is_it = |used: &&Rc<Dialect>| Rc::ptr_eq(used, dialect);
        used.iter().any(is_it) || installed::is_used(files, dialects, dialect, project)
    };
    let used = dialects.of(kind).filter(|dialect| is_used(dialect));
    used.map(|dialect| dialect.id.clone()).collect()
}

/// The dialects with files of this kind there.
fn used<'a>(
    files: &dyn Files,
    dialects: &'a Dialects,
    project: &Project,
    kind: Kind,
) -> impl Iterator<Item = &'a Rc<Dialect>> {
    dialects.of(kind).filter(move |dialect| {
        let options = project.options(&dialect.id, dialect.kind, false);
        let locations = catalog::locations(dialects, &options).unwrap_or_default();
        let mut own = locations
            .iter()
            .filter(|location| location.owned && location.level != Level::Policy);
        own.any(|location| is_there(files, dialects, dialect, &location.directory))
            || catalog::are_configured(files, dialect, project)
    })
}

/// Every place that is read for this project: where its dialects look, and what agents refer to.
pub fn places(dialects: &Dialects, project: &Project) -> (Vec<Location>, Vec<String>) {
    let (mut locations, mut referred) = (Vec::new(), Vec::new());
    for dialect in dialects.every() {
        let options = project.options(&dialect.id, dialect.kind, true);
        locations.extend(catalog::locations(dialects, &options).unwrap_or_default());
        referred.extend(catalog::referred(dialects, &options).unwrap_or_default());
    }
    (locations, referred)
}

impl Project {
    /// The normal path of a named file, below the name of the nearest directory above it: those of `x` are `x/..` and so on.
    fn named(&self, path: &str) -> String {
        let rest = |above| {
            if above == path {
                Some(".")
            } else {
                below(above, path)
            }
        };
        let above = self.ancestors.iter();
        let around = above.filter_map(|above| Some((above, rest(above)?)));
        let nearest = around.min_by_key(|(_, rest)| rest.len());
        let kept = nearest.and_then(|(above, rest)| inside(above, rest));
        kept.unwrap_or_else(|| normal(path))
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
    if dialect.is_unmistakable(directory) {
        files.list(directory).is_ok()
    } else {
        is_claimed(files, dialects, dialect, directory)
    }
}

/// Both with normal paths. Fails if a dialect is unknown.
fn normalized(
    dialects: &Dialects,
    project: &Project,
    request: &Request,
) -> Result<(Project, Request), CatalogError> {
    let mut named = request.dialect.iter().chain(&request.targets);
    named.try_for_each(|id| dialects.check(id).map_err(CatalogError::UnknownDialect))?;
    let project = Project {
        directory: normal(&project.directory),
        ..project.clone()
    };
    let request = Request {
        paths: request.paths.iter().map(|path| project.named(path)).collect(),
        ..request.clone()
    };
    Ok((project, request))
}
