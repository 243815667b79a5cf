//! The plugins of the project itself. Where agents are listed and run, they count as installed, except those that their products refuse.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::listed::Existing;
use super::plugins::{self, Plugin};
use super::{Project, manifests};
use crate::catalog::{self, Catalog, CatalogError, Change, Options};
use crate::dialect::{Dialect, Dialects};
use crate::files::Files;
use crate::limits::NAMES;

/// Opens the catalog of one dialect, with the files of the project's own plugins, and reads its sources.
pub fn open(
    files: Box<dyn Files>,
    dialects: &Dialects,
    mut options: Options,
) -> Result<Catalog, CatalogError> {
    if let Ok(dialect) = dialects.get_for(&options.dialect, options.kind) {
        let own = own(&*files, dialects, dialect, &options.project);
        options.project.plugins.extend(own);
    }
    Catalog::open(files, dialects, options)
}

/// Reads the sources and the manifests of the project's own plugins again, and returns the differences, sorted by name.
pub fn refresh(catalog: &mut Catalog) -> Vec<Change> {
    let (files, dialects) = (catalog.files(), catalog.dialects());
    let own = own(&**files, dialects, catalog.dialect(), catalog.project());
    catalog.refresh_with(own)
}

/// Whether one of the project's own plugins has files for the dialect.
pub(super) fn is_used(files: &dyn Files, dialects: &Dialects, dialect: &Dialect, project: &Project) -> bool {
    let own = own(files, dialects, dialect, project);
    own.iter().any(|plugin| {
        let listed = files.list(&plugin.directory);
        listed.is_ok_and(|entries| !entries.is_empty()) || files.read(&plugin.directory).is_ok()
    })
}

/// The files and folders that the project's own plugins have for the dialect. Of plugins of one name, the nearest counts: an inner directory may
/// be a plugin of the marketplace in an outer one.
fn own(files: &dyn Files, dialects: &Dialects, dialect: &Dialect, project: &Project) -> Vec<catalog::Plugin> {
    if !dialects.has_plugins(&dialect.id) {
        return Vec::new();
    }
    let given = project.plugins.iter().filter(|plugin| !plugin.is_own);
    let mut named: BTreeSet<String> = given.map(|plugin| plugin.name.clone()).collect();
    let (mut all, mut places) = (Vec::new(), BTreeSet::new());
    for directory in [&project.directory].into_iter().chain(&project.ancestors) {
        let declared = declared(files, dialects, &dialect.id, directory);
        let new: Vec<&Plugin<'_>> = declared
            .iter()
            .filter(|plugin| !named.contains(&plugin.name))
            .collect();
        for plugin in &new {
            let of_kind = plugin.places.iter().filter(|(of, _)| *of == dialect.kind);
            for (_, place) in of_kind {
                // A place belongs to the first manifest that declares it.
                if places.insert(place.clone()) {
                    all.push(catalog::Plugin {
                        name: plugin.name.clone(),
                        directory: place.clone(),
                        is_own: true,
                    });
                }
            }
        }
        named.extend(new.into_iter().map(|plugin| plugin.name.clone()));
    }
    all
}

/// What the manifests in a directory declare, and those of the plugins that its marketplace lists, if their products load them.
fn declared<'a>(files: &dyn Files, dialects: &'a Dialects, id: &str, directory: &str) -> Vec<Plugin<'a>> {
    let mut existing = Existing::new(files, directory);
    let mut refused = BTreeSet::new();
    let mut read = |place: &str| {
        let entries = files.list(place).unwrap_or_default();
        let found = manifests::found(files, &mut existing, dialects, place, &entries);
        if found.is_refused {
            refused.insert(place.into());
        }
        let declared = plugins::declared(files, dialects, directory, place, &entries);
        (declared, found.no_marketplace)
    };
    let (here, no_marketplace) = read(directory);
    let mut all = here.plugins;
    let with_manifest = here.known.iter().filter(|known| known.has_manifest);
    let (own, listed): (Vec<&str>, Vec<&str>) = with_manifest
        .filter_map(|known| known.directory.as_deref())
        .partition(|place| *place == directory);
    if no_marketplace {
        all.retain(|plugin| own.contains(&&*plugin.directory));
    } else {
        let read = |place| read(place).0.plugins;
        all.extend(listed.into_iter().take(NAMES).flat_map(read));
    }
    refused.extend(here.refused);
    all.retain(|plugin| plugin.dialect.id == id && !refused.contains(&plugin.directory));
    all
}
