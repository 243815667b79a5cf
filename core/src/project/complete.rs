//! What can be written at a place in a file of a project.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::listed::Listed;
use super::opened::Opener;
use super::tops::tops;
use super::walk::Home;
use super::{Project, Request};
use crate::catalog::CatalogError;
use crate::dialect::{Dialects, Level};
use crate::document::{Completions, Named, completions};
use crate::files::Files;
use crate::source::Source;

/// A place in a file with these contents, which may not be stored yet.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// The file.
    pub path: &'a str,
    /// Its contents.
    pub bytes: &'a [u8],
    /// The byte.
    pub at: usize,
    /// Its dialect; none for its owner.
    pub dialect: Option<&'a str>,
    /// The kind of its source; none for a project's.
    pub level: Option<Level>,
}

/// The keys, values and names that fit a place. Fails only if a dialect is unknown or the agents given inline cannot be read.
pub fn complete(
    files: &Rc<dyn Files>,
    dialects: &Dialects,
    project: &Project,
    spot: &Spot<'_>,
) -> Result<Completions, CatalogError> {
    let (paths, dialect) = ([spot.path.into()].into(), spot.dialect.map(Into::into));
    let request = Request {
        dialect,
        paths,
        ..Request::default()
    };
    let (project, request) = &super::normalized(dialects, project, &request)?;
    let text = Source::of_file(spot.bytes).text;
    let dialect = dialects.choose(spot.dialect, spot.path, &text);
    let dialect = dialect.map_err(CatalogError::UnknownDialect)?;
    let opener = Opener {
        files: &Listed::of(files),
        dialects,
        project,
        request,
    };
    let level = spot.level.unwrap_or(Level::Project);
    Ok(completions(spot.bytes, spot.at, dialect, level, &|named| {
        opener.names(&dialect.id, named)
    }))
}

impl Opener<'_> {
    /// The names that the files of a tool can have there, with descriptions.
    fn names(&self, dialect: &str, named: Named) -> Vec<(String, String)> {
        // A format without agents names none.
        let Ok(dialect) = self.dialects.get(dialect) else {
            return Vec::new();
        };
        let top = tops(&**self.files, self.dialects, self.project, &self.request.paths).pop();
        let catalog = top.and_then(|top| {
            let here = Home::Directory(top.directory.clone());
            self.open(self.options(&top, dialect, &here)).ok()
        });
        let plain = |names: Option<Vec<String>>| names.unwrap_or_default().into_iter();
        match (catalog, named) {
            (None, _) => Vec::new(),
            (Some(catalog), Named::Agent) => {
                let entries = catalog.entries(false).into_iter();
                entries.map(|entry| (entry.name, entry.description)).collect()
            }
            (Some(catalog), Named::Skill) => plain(catalog.skills())
                .map(|name| (name, String::new()))
                .collect(),
            (Some(catalog), Named::Server) => plain(Some(catalog.server_names()))
                .map(|name| (name, String::new()))
                .collect(),
        }
    }
}
