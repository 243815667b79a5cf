//! Exports `projects`: a whole project.

use std::rc::Rc;

use callsheet_core::files::Files;
use callsheet_core::fix::Which;
use callsheet_core::project::{self, Left};

use crate::bindings::exports::callsheet::agents::projects::{
    Build, CatalogError, Completions, Composition, Exception, Fixed, Graph, Guest, Inventory, Kind, Part,
    Places, Project, Renaming, Report, Request, Scope, Spot,
};
use crate::files::HostFiles;
use crate::{Component, convert, dialects, readers};

impl Guest for Component {
    fn places_of(project: Project) -> Places {
        let (locations, referred) = project::places(&dialects(), &convert::project(project));
        convert::places(locations, referred)
    }

    fn in_use(project: Project, kind: Kind) -> Vec<String> {
        project::in_use(
            &HostFiles,
            &dialects(),
            &convert::project(project),
            convert::core_kind(kind),
        )
    }

    fn check(project: Project, request: Request, build: Option<Build>) -> Result<Report, CatalogError> {
        let (project, request) = (convert::project(project), convert::request(request));
        let build = build.map(convert::build);
        let report = project::check(&files(), &dialects(), &project, &request, build.as_ref());
        report.map(convert::report).map_err(convert::catalog_error)
    }

    fn graph_of(project: Project, request: Request, scope: Scope, part: Part) -> Result<Graph, CatalogError> {
        let (project, request) = (convert::project(project), convert::request(request));
        let (scope, part) = (convert::scope(scope), convert::part(part));
        let graph = project::graph(&files(), &dialects(), &project, &request, &scope, part);
        graph.map(convert::graph).map_err(convert::catalog_error)
    }

    fn inventory_of(project: Project, request: Request) -> Result<Inventory, CatalogError> {
        let (project, request) = (convert::project(project), convert::request(request));
        let inventory = project::inventory(&files(), &dialects(), &project, &request);
        inventory.map(convert::inventory).map_err(convert::catalog_error)
    }

    fn fix(
        project: Project,
        request: Request,
        unsafe_too: bool,
        exceptions: Vec<Exception>,
    ) -> Result<Vec<Fixed>, CatalogError> {
        let (project, request) = (convert::project(project), convert::request(request));
        let which = Which::new(unsafe_too);
        let left: Vec<Left> = exceptions.into_iter().map(convert::left).collect();
        let fixed = project::fix(&files(), &dialects(), &project, &request, which, &left);
        let fixed = fixed.map_err(convert::catalog_error)?;
        Ok(fixed.into_iter().map(convert::fixed).collect())
    }

    fn rename(project: Project, path: String, to: String) -> Result<Renaming, CatalogError> {
        let project = convert::project(project);
        let renaming = project::rename(&files(), &dialects(), &readers(), &project, &path, &to);
        renaming.map(convert::renaming).map_err(convert::catalog_error)
    }

    fn compose(project: Project, build: Build) -> Result<Composition, CatalogError> {
        let (project, build) = (convert::project(project), convert::build(build));
        let composition = project::compose(&files(), &dialects(), &project, &build);
        composition
            .map(convert::composition)
            .map_err(convert::catalog_error)
    }

    fn complete(project: Project, spot: Spot) -> Result<Completions, CatalogError> {
        let found = project::complete(
            &files(),
            &dialects(),
            &convert::project(project),
            &convert::spot(&spot),
        );
        found.map(convert::completions).map_err(convert::catalog_error)
    }
}

fn files() -> Rc<dyn Files> {
    Rc::new(HostFiles)
}
