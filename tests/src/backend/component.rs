//! The component under wasmtime, through the host library.

use callsheet::catalogs::{CatalogError, Change, Counters, Entry, Explanation, Grants, Location, Visited};
use callsheet::conversation::ToolSpec;
use callsheet::delegation::{self, SessionError, Task};
use callsheet::documents::{
    Carried, Converted, Dialect, Draft, Found, KeyChange, Parsed, Reader, Seen, WriteError,
};
use callsheet::projects::{
    Build, Completions, Composition, Graph, Inventory, Part, Renaming, Report, Request, Scope, Spot,
};
use callsheet::types::{Agent, Diagnostic, Edit};
use callsheet::{Callsheet, Error};

use super::{Answer, Catalog, Machine, Refusal, Runtime};
use crate::commands::Settings;

/// The library with these settings.
pub fn open(settings: &Settings) -> Answer<Callsheet> {
    let mut builder = Callsheet::builder()
        .project(settings.project.as_str())
        .home(settings.home.as_str())
        .fail_closed(settings.fail_closed)
        .check(true)
        .follow_links(settings.follow_links);
    for (name, directory) in &settings.plugins {
        builder = builder.plugin(name, directory.as_str());
    }
    for directory in &settings.directories {
        builder = builder.directory(directory.as_str());
    }
    if let Some(inline) = &settings.inline {
        builder = builder.inline(inline);
    }
    builder.build().map_err(refusal)
}

fn refusal(error: Error) -> Refusal {
    assert!(
        !matches!(error, Error::Trap { .. } | Error::Component { .. }),
        "{error}"
    );
    Refusal(error.to_string())
}

fn written<T>(answer: Result<T, Error>) -> Answer<Result<T, WriteError>> {
    match answer {
        Ok(written) => Ok(Ok(written)),
        Err(Error::Unwritten(error)) => Ok(Err(error)),
        Err(error) => Err(refusal(error)),
    }
}

fn session(opened: Result<callsheet::Session, Error>) -> Answer<Result<Box<dyn Machine>, SessionError>> {
    match opened {
        Ok(session) => Ok(Ok(Box::new(session))),
        Err(Error::Session(error)) => Ok(Err(error)),
        Err(error) => Err(refusal(error)),
    }
}

impl Runtime for Callsheet {
    fn dialects(&mut self) -> Answer<Vec<Dialect>> {
        self.dialects().map_err(refusal)
    }

    fn dialects_in_use(&mut self) -> Answer<Vec<String>> {
        self.dialects_in_use().map_err(refusal)
    }

    fn check(&mut self, request: &Request, build: Option<&Build>) -> Answer<Report> {
        self.check(request, build).map_err(refusal)
    }

    fn graph(&mut self, scope: &Scope, part: Part) -> Answer<Graph> {
        self.part_of_graph(scope, part).map_err(refusal)
    }

    fn inventory(&mut self) -> Answer<Inventory> {
        self.inventory().map_err(refusal)
    }

    fn rename(&mut self, path: &str, to: &str) -> Answer<Result<Renaming, String>> {
        match self.rename(path, to) {
            Ok(renaming) => Ok(Ok(renaming)),
            Err(Error::Catalog(CatalogError::Other(reason))) => Ok(Err(reason)),
            Err(error) => Err(refusal(error)),
        }
    }

    fn compose(&mut self, build: &Build) -> Answer<Result<Composition, String>> {
        match self.compose(build) {
            Ok(composition) => Ok(Ok(composition)),
            Err(Error::Catalog(CatalogError::Other(reason))) => Ok(Err(reason)),
            Err(error) => Err(refusal(error)),
        }
    }

    fn locations(&mut self, dialect: &str) -> Answer<Vec<Location>> {
        self.locations(dialect).map_err(refusal)
    }

    fn discover(&mut self, path: &str) -> Answer<(Vec<Found>, Vec<Diagnostic>)> {
        self.discover(path).map_err(refusal)
    }

    fn read(&mut self, path: &str) -> Answer<Vec<u8>> {
        self.read(path).map_err(refusal)
    }

    fn parse(&mut self, file: &Found, contents: &[u8]) -> Answer<Parsed> {
        self.parse_found(file, contents).map_err(refusal)
    }

    fn complete(&mut self, spot: &Spot) -> Answer<Completions> {
        self.complete(spot).map_err(refusal)
    }

    fn render(&mut self, draft: &Draft, dialect: &str) -> Answer<Result<String, WriteError>> {
        written(self.render(draft, dialect))
    }

    fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
        prompt: Option<&str>,
    ) -> Answer<Result<Vec<Edit>, WriteError>> {
        written(self.revise(contents, dialect, changes, prompt))
    }

    fn readers(&mut self) -> Answer<Vec<Reader>> {
        self.readers().map_err(refusal)
    }

    fn readings(&mut self, path: &str, contents: &[u8]) -> Answer<Vec<Seen>> {
        self.readings(path, contents).map_err(refusal)
    }

    fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: Option<&str>,
        to: &str,
        allow_loss: bool,
    ) -> Answer<Result<Converted, Option<Vec<Carried>>>> {
        match self.convert(path, contents, dialect, to, allow_loss) {
            Ok(converted) => Ok(Ok(converted)),
            Err(Error::Refused(report)) => Ok(Err(Some(report))),
            Err(Error::Unusable(_)) => Ok(Err(None)),
            Err(error) => Err(refusal(error)),
        }
    }

    fn open(&self, dialect: &str) -> Answer<Box<dyn Catalog>> {
        Ok(Box::new(self.open(dialect).map_err(refusal)?))
    }
}

impl Catalog for callsheet::Catalog {
    fn refresh(&mut self) -> Answer<Vec<Change>> {
        self.refresh().map_err(refusal)
    }

    fn visited(&mut self) -> Answer<Vec<Visited>> {
        self.visited().map_err(refusal)
    }

    fn names(&mut self) -> Answer<Vec<String>> {
        self.names().map_err(refusal)
    }

    fn entries(&mut self, all: bool) -> Answer<Vec<Entry>> {
        self.entries(all).map_err(refusal)
    }

    fn get(&mut self, name: &str) -> Answer<Option<Agent>> {
        self.get(name).map_err(refusal)
    }

    fn search(&mut self, query: &str, limit: u32) -> Answer<Vec<Entry>> {
        self.search(query, limit).map_err(refusal)
    }

    fn explain(&mut self, name: &str) -> Answer<Explanation> {
        self.explain(name).map_err(refusal)
    }

    fn grants(&mut self, name: &str, offered: &[String]) -> Answer<Option<Grants>> {
        self.grants(name, offered).map_err(refusal)
    }

    fn diagnostics(&mut self) -> Answer<Vec<Diagnostic>> {
        self.diagnostics().map_err(refusal)
    }

    fn suppressed(&mut self) -> Answer<Vec<Diagnostic>> {
        self.suppressed().map_err(refusal)
    }

    fn register(&mut self, name: &str, contents: &str) -> Answer<()> {
        self.register(name, contents).map_err(refusal)
    }

    fn counters(&mut self) -> Answer<Counters> {
        self.counters().map_err(refusal)
    }

    fn session(
        &mut self,
        task: &Task,
        tools: &[ToolSpec],
        settings: &delegation::Settings,
    ) -> Answer<Result<Box<dyn Machine>, SessionError>> {
        session(self.session(task, tools, settings))
    }

    fn restore(&mut self, snapshot: &[u8]) -> Answer<Result<Box<dyn Machine>, SessionError>> {
        session(self.restore(snapshot))
    }
}
