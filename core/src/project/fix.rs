//! Applies fixes to the files of a project.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::check::check;
use super::secrets::Secrets;
use super::{Project, Request};
use crate::catalog::CatalogError;
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, Dialects};
use crate::document;
use crate::files::Files;
use crate::fix::{self, Fixed, Which};
use crate::order::sorted;

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
    let left = sorted(left.iter().collect(), |a: &&Left, b: &&Left| a.cmp(b));
    let report = check(files, dialects, project, request, None)?;
    let secrets = Secrets::of(&report.findings, &**files);
    let mut fixed = Vec::new();
    for checked in report.files.iter().filter(|checked| checked.in_project) {
        let Ok(before) = files.read(&checked.path) else {
            continue;
        };
        let find = |contents: &[u8]| {
            let readers = checked.dialects.iter();
            let readers = readers.filter_map(|id| dialects.get_for(id, checked.kind).ok());
            let level = Some(checked.level);
            let read = |dialect: &Rc<Dialect>| {
                document::read_alone(&checked.path, contents, dialect, level, dialects)
            };
            let found = readers.flat_map(|dialect| read(dialect).diagnostics);
            let is_left = |found: &Diagnostic| {
                let this = (&*checked.path, found.rule);
                let order = |left: &&Left| (&*left.path, &*left.rule).cmp(&this);
                left.binary_search_by(order).is_ok()
            };
            found.filter(|found| !is_left(found)).collect()
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
