//! The sources of a project, which extend and include other files, and what they compile to.

use alloc::rc::Rc;

use super::Project;
use super::listed::Listed;
use crate::catalog::CatalogError;
use crate::compose::{self, Build, Composition};
use crate::dialect::Dialects;
use crate::files::Files;

/// Compiles the sources of a project. Nothing is written.
///
/// Fails if a dialect is unknown, or that of the sources has no Markdown files.
pub fn compose(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    build: &Build,
) -> Result<Composition, CatalogError> {
    compose::compose(&*Listed::of(files), dialects, &project.directory, build)
}
