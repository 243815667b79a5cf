//! What skills and commands name: agents of the same tool, and files beside them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::walk::Home;
use crate::catalog::{Catalog, CatalogError};
use crate::dialect::{Dialect, Dialects, Kind};
use crate::files::Files;
use crate::places::{is_within, normal};

/// A catalog, and the directory or plugin that it is of.
pub(super) type Opened<'a> = (&'a Rc<Dialect>, &'a Home, Catalog);

/// The names of the entries of each folder that was looked at.
type Folders = BTreeMap<String, BTreeSet<String>>;

/// Adds to each catalog the findings about what its files name elsewhere. `open` opens the agents of the project directory.
pub(super) fn check(
    files: &dyn Files,
    dialects: &Dialects,
    project: &str,
    catalogs: &mut [Opened<'_>],
    open: &dyn Fn(&Rc<Dialect>) -> Result<Catalog, CatalogError>,
) -> Result<(), CatalogError> {
    let (mut folders, mut others) = (Folders::new(), BTreeMap::new());
    for at in 0..catalogs.len() {
        let (dialect, home, catalog) = &catalogs[at];
        if !catalog.refers_outside() {
            continue;
        }
        let mut found = catalog.missing_files(&mut |path| exists(files, project, path, &mut folders));
        // Where a plugin is installed, there are other agents, and a format without agents names none.
        if let (Home::Directory(directory), Ok(of_agents)) = (home, dialects.get(&dialect.id)) {
            let agents = match nearest(catalogs, &dialect.id, directory) {
                Some(agents) => agents,
                None => {
                    if !others.contains_key(&dialect.id) {
                        others.insert(dialect.id.clone(), open(of_agents)?);
                    }
                    &others[&dialect.id]
                }
            };
            found.extend(catalog.unknown_agents(agents));
        }
        catalogs[at].2.add(found);
    }
    Ok(())
}

/// Whether there is something at a path; whatever is outside of the project is not looked for.
fn exists(files: &dyn Files, project: &str, path: &str, folders: &mut Folders) -> bool {
    let path = normal(path);
    if !is_within(&path, project) || path == project {
        return true;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", &path));
    let names = folders.entry(folder.to_string()).or_insert_with(|| {
        let entries = files.list(folder).unwrap_or_default();
        entries.into_iter().map(|entry| entry.name).collect()
    });
    names.contains(name)
}

/// The agents of the innermost directory around this one; they include those of the directories above.
fn nearest<'c>(catalogs: &'c [Opened<'_>], id: &str, directory: &str) -> Option<&'c Catalog> {
    let around = catalogs.iter().filter_map(|(dialect, home, catalog)| match home {
        Home::Directory(base) if dialect.id == id && dialect.kind == Kind::Agent => {
            is_within(directory, base).then_some((base.len(), catalog))
        }
        _ => None,
    });
    let around: Vec<(usize, &Catalog)> = around.collect();
    around
        .into_iter()
        .max_by_key(|(length, _)| *length)
        .map(|(_, catalog)| catalog)
}
