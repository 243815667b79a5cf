//! The sources of a project, which extend and include other files, and what they compile to.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;

use super::Project;
use super::listed::Listed;
use crate::catalog::CatalogError;
use crate::compose::{self, Build, Composition};
use crate::dialect::Dialects;
use crate::files::Files;
use crate::places::{inside, normal};

/// Compiles the sources of a project. Nothing is written.
///
/// Fails if a dialect is unknown, that of the sources has no Markdown files, or their project is another one.
pub fn compose(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    build: &Build,
) -> Result<Composition, CatalogError> {
    composed(&*Listed::of(files), dialects, project, build)
}

/// The same with files that are listed once.
pub(super) fn composed(
    files: &dyn Files,
    dialects: &Dialects,
    project: &Project,
    build: &Build,
) -> Result<Composition, CatalogError> {
    compose::compose(files, dialects, &directory(project, build)?, build)
}

/// The folder of the sources, unless it is outside of the project.
pub(super) fn folder(project: &Project, build: &Build) -> Option<String> {
    inside(&directory(project, build).ok()?, &build.directory)
}

/// The directory of the sources' project.
fn directory(project: &Project, build: &Build) -> Result<String, CatalogError> {
    match &build.project {
        Some(above) if project.ancestors.contains(above) => Ok(above.clone()),
        Some(other) if *other != project.directory => {
            let reason =
                format!("{other} is not the project, and not a directory above it in its repository");
            Err(CatalogError::Other(reason))
        }
        _ => Ok(normal(&project.directory)),
    }
}
