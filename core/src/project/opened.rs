//! The catalogs of a project: of each tool, for each directory and plugin in which it has files.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::tops::Top;
use super::walk::{Home, Owned};
use super::{Project, Request};
use crate::catalog::{Catalog, CatalogError, Options, Plugin};
use crate::dialect::{Dialect, Dialects, Kind};
use crate::files::Files;
use crate::places::is_within;

/// The tools in use, with the kinds of their files.
pub(super) type Used<'a> = BTreeSet<(Kind, &'a str)>;

/// A catalog, and the directory or plugin that it is of.
pub(super) struct Opened<'a> {
    pub(super) dialect: &'a Rc<Dialect>,
    pub(super) home: Home,
    pub(super) catalog: Catalog,
}

impl Opened<'_> {
    /// Whether a path is in the package that it is of. Files above a package are active there unless the package overrides them, but another
    /// catalog is about them.
    pub(super) fn is_about(&self, path: &str, top: &Top) -> bool {
        match &self.home {
            Home::Directory(package) if *package != top.directory => is_within(path, package),
            _ => true,
        }
    }

    /// Whether its findings in a file count: of several readers, those of the owner do.
    pub(super) fn judges(&self, path: &str, owners: &BTreeMap<&str, &Dialect>) -> bool {
        match owners.get(path) {
            Some(owner) => owner.id == self.dialect.id && owner.kind == self.dialect.kind,
            None => {
                let location = self.catalog.location_of(path);
                location.is_none_or(|location| location.owned || location.is_given())
            }
        }
    }
}

/// Opens catalogs.
#[derive(Clone, Copy)]
pub(super) struct Opener<'a> {
    pub(super) files: &'a Rc<dyn Files>,
    pub(super) dialects: &'a Dialects,
    pub(super) project: &'a Project,
    pub(super) request: &'a Request,
}

impl<'a> Opener<'a> {
    /// The tools in use at this place.
    pub(super) fn used(&self, top: &Top) -> Used<'a> {
        let project = self.at(top);
        let of_kind = |kind| {
            let used = super::used(&**self.files, self.dialects, &project, kind);
            used.map(|dialect| (kind, &*dialect.id)).collect::<Vec<_>>()
        };
        Kind::ALL.into_iter().flat_map(of_kind).collect()
    }

    /// The catalogs of all files with an owner, of the tools in use, and of the targets.
    pub(super) fn all(
        &self,
        top: &Top,
        owned: &[Owned<'a>],
        used: &Used<'a>,
    ) -> Result<Vec<Opened<'a>>, CatalogError> {
        let here = Home::Directory(top.directory.clone());
        let mut homes: BTreeSet<(&str, Kind, Home)> = BTreeSet::new();
        for owned in owned.iter().filter(|owned| !owned.is_alone()) {
            homes.insert((&owned.owner.id, owned.owner.kind, owned.home.clone()));
        }
        homes.extend(used.iter().map(|(kind, id)| (*id, *kind, here.clone())));
        for target in &self.request.targets {
            homes.extend(Kind::ALL.map(|kind| (&**target, kind, here.clone())));
        }
        let mut all = Vec::new();
        for (id, kind, home) in homes {
            if let Ok(dialect) = self.dialects.get_for(id, kind) {
                let catalog = self.open(self.options(top, dialect, &home))?;
                all.push(Opened {
                    dialect,
                    home,
                    catalog,
                });
            }
        }
        Ok(all)
    }

    pub(super) fn open(&self, options: Options) -> Result<Catalog, CatalogError> {
        Catalog::open(Box::new(Rc::clone(self.files)), self.dialects, options)
    }

    /// The project as seen from one of its directories.
    fn at(&self, top: &Top) -> Project {
        Project {
            directory: top.directory.clone(),
            ancestors: top.ancestors.clone(),
            ..self.project.clone()
        }
    }

    pub(super) fn options(&self, top: &Top, dialect: &Dialect, home: &Home) -> Options {
        let mut project = self.at(top);
        match home {
            Home::Directory(directory) if *directory != top.directory => {
                let mut ancestors = Vec::new();
                let mut place = directory.as_str();
                while let Some((parent, _)) = place.rsplit_once('/')
                    && is_within(parent, &top.directory)
                    && parent != top.directory
                {
                    ancestors.push(parent.to_string());
                    place = parent;
                }
                ancestors.push(top.directory.clone());
                ancestors.append(&mut project.ancestors);
                project.ancestors = ancestors;
                project.directory.clone_from(directory);
                (project.plugins, project.directories, project.inline) = (Vec::new(), Vec::new(), None);
            }
            Home::Directory(_) | Home::Form => {}
            Home::Plugin(name, place) => {
                project = Project {
                    directory: place.clone(),
                    ..Project::default()
                };
                let mut options = project.options(&dialect.id, dialect.kind, true);
                options.project.plugins.push(Plugin {
                    name: name.clone(),
                    directory: place.clone(),
                    is_own: true,
                });
                return options;
            }
        }
        project.options(&dialect.id, dialect.kind, true)
    }
}
