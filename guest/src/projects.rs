//! Exports `projects`: a whole project.

use std::rc::Rc;

use callsheet_core::catalog::{self, CatalogError as CoreError};
use callsheet_core::files::Files;
use callsheet_core::fix::Which;
use callsheet_core::project::{self, Left};

use crate::bindings::exports::callsheet::agents::projects::{
    Build, CatalogError, Completions, Composition, Exception, Fixed, Graph, Guest, GuestProject, Inventory,
    Kind, Level, Location, Part, Places, Project, Renaming, Report, Request, Scope, Sources, Spot,
};
use crate::convert::core_kind;
use crate::files::HostFiles;
use crate::{Component, convert, dialects, readers};

impl Guest for Component {
    type Project = OpenProject;
}

/// A project that stays open.
pub(crate) struct OpenProject(pub(crate) project::Project);

impl GuestProject for OpenProject {
    fn open(sources: Sources) -> Project {
        Project::new(Self(convert::project(sources)))
    }

    fn places(&self) -> Places {
        let (locations, referred) = project::places(&dialects(), &self.0);
        convert::places(locations, referred)
    }

    fn root(&self) -> String {
        project::root(&HostFiles, &dialects(), &self.0)
    }

    fn locations(&self, dialect: String, kind: Kind) -> Result<Vec<Location>, CatalogError> {
        let locations = catalog::locations(&dialects(), &self.0.options(&dialect, core_kind(kind), false));
        let locations =
            locations.map_err(|unknown| convert::catalog_error(CoreError::UnknownDialect(unknown)))?;
        Ok(locations.into_iter().map(convert::location).collect())
    }

    fn own_directory(
        &self,
        dialect: String,
        kind: Kind,
        level: Level,
    ) -> Result<Option<String>, CatalogError> {
        let options = self.0.options(&dialect, core_kind(kind), false);
        let directory = catalog::own_directory(&dialects(), &options, convert::core_level(level));
        directory.map_err(|unknown| convert::catalog_error(CoreError::UnknownDialect(unknown)))
    }

    fn referred(&self, dialect: String, kind: Kind, check: bool) -> Result<Vec<String>, CatalogError> {
        let referred = catalog::referred(&dialects(), &self.0.options(&dialect, core_kind(kind), check));
        referred.map_err(|unknown| convert::catalog_error(CoreError::UnknownDialect(unknown)))
    }

    fn in_use(&self, kind: Kind) -> Vec<String> {
        project::in_use(&HostFiles, &dialects(), &self.0, core_kind(kind))
    }

    fn check(&self, request: Request, build: Option<Build>) -> Result<Report, CatalogError> {
        let (request, build) = (convert::request(request), build.map(convert::build));
        let report = project::check(&files(), &dialects(), &self.0, &request, build.as_ref());
        report.map(convert::report).map_err(convert::catalog_error)
    }

    fn fix(
        &self,
        request: Request,
        unsafe_too: bool,
        exceptions: Vec<Exception>,
    ) -> Result<Vec<Fixed>, CatalogError> {
        let request = convert::request(request);
        let which = Which::new(unsafe_too);
        let left: Vec<Left> = exceptions.into_iter().map(convert::left).collect();
        let fixed = project::fix(&files(), &dialects(), &self.0, &request, which, &left);
        let fixed = fixed.map_err(convert::catalog_error)?;
        Ok(fixed.into_iter().map(convert::fixed).collect())
    }

    fn graph(&self, request: Request, scope: Scope, part: Part) -> Result<Graph, CatalogError> {
        let request = convert::request(request);
        let (scope, part) = (convert::scope(scope), convert::part(part));
        let graph = project::graph(&files(), &dialects(), &self.0, &request, &scope, part);
        graph.map(convert::graph).map_err(convert::catalog_error)
    }

    fn inventory(&self, request: Request) -> Result<Inventory, CatalogError> {
        let inventory = project::inventory(&files(), &dialects(), &self.0, &convert::request(request));
        inventory.map(convert::inventory).map_err(convert::catalog_error)
    }

    fn rename(&self, path: String, to: String) -> Result<Renaming, CatalogError> {
        let renaming = project::rename(&files(), &dialects(), &readers(), &self.0, &path, &to);
        renaming.map(convert::renaming).map_err(convert::catalog_error)
    }

    fn compose(&self, build: Build) -> Result<Composition, CatalogError> {
        let composition = project::compose(&files(), &dialects(), &self.0, &convert::build(build));
        composition
            .map(convert::composition)
            .map_err(convert::catalog_error)
    }

    fn complete(&self, spot: Spot) -> Result<Completions, CatalogError> {
        let found = project::complete(&files(), &dialects(), &self.0, &convert::spot(&spot));
        found.map(convert::completions).map_err(convert::catalog_error)
    }
}

fn files() -> Rc<dyn Files> {
    Rc::new(HostFiles)
}
