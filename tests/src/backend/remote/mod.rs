//! The component in another runtime, through a driver.

pub mod driver;
mod lent;
mod session;
pub mod values;

use std::path::Path;

use callsheet::catalogs::{CatalogError, Change, Counters, Entry, Explanation, Grants, Location, Visited};
use callsheet::conversation::ToolSpec;
use callsheet::delegation::{self, SessionError, Task};
use callsheet::documents::{
    Carried, ConvertError, Converted, Dialect, DocumentError, Draft, Found, KeyChange, Parsed, Reader, Seen,
    WriteError,
};
use callsheet::projects::{
    Build, Completions, Composition, Graph, Inventory, Part, Places, Renaming, Report, Request, Scope,
    Sources, Spot,
};
use callsheet::types::{Agent, Diagnostic, Edit, Kind};
use callsheet_core::files::Files as _;
use serde_json::{Value, json};

use self::driver::{Held, Resource, Shared, lock};
use self::lent::World;
use self::values::Crossing;
use super::{Answer, Backend, Catalog, Machine, Refusal, Runtime, ancestors, options, sources};
use crate::commands::Settings;

/// A runtime behind a driver, with the files of the disk.
pub struct Remote {
    driver: Shared,
    settings: Settings,
    ancestors: Vec<String>,
    world: World,
}

impl Remote {
    /// Fails like the host if the project does not exist.
    pub fn open(settings: &Settings, backend: Backend) -> Answer<Self> {
        if !Path::new(&settings.project).is_dir() {
            return Err(Refusal(format!("cannot read {}", settings.project)));
        }
        let driver = driver::shared(backend).unwrap_or_else(|error| panic!("{backend}: {error}"));
        let ancestors = ancestors(&settings.project);
        Ok(Self {
            driver,
            world: World::new(settings, &ancestors, backend),
            settings: settings.clone(),
            ancestors,
        })
    }

    /// A project with these sources.
    fn project(&self, sources: &Sources) -> Held {
        let resource = lock(&self.driver).call::<_, ()>("projects.project.open", vec![sources.to_value()]);
        Held {
            driver: Shared::clone(&self.driver),
            resource: resource.expect("it cannot fail"),
        }
    }

    /// Calls a method of the project, with its files, and others that are named.
    fn ask<T: Crossing>(
        &self,
        named: &[String],
        name: &str,
        arguments: Vec<Value>,
    ) -> Answer<Result<T, CatalogError>> {
        let sources = sources(&self.settings, &self.ancestors);
        let project = self.project(&sources);
        let places = project.call::<Places, CatalogError>("places", Vec::new());
        let places = places.map_err(refusal)?;
        let locations = places.locations.into_iter().map(|location| location.directory);
        let own = [sources.directory].into_iter().chain(sources.ancestors);
        let names: Vec<String> = own.chain(locations).chain(places.referred).collect();
        Ok(project.call_with(self.world.with(&names, named), name, arguments))
    }

    fn documents<T: Crossing>(&self, name: &str, arguments: Vec<Value>) -> Answer<T> {
        self.call::<T, DocumentError>(name, arguments).map_err(refusal)
    }

    fn call<T: Crossing, E: Crossing>(&self, name: &str, arguments: Vec<Value>) -> Result<T, E> {
        lock(&self.driver).call(&format!("documents.{name}"), arguments)
    }

    fn written<T: Crossing>(&self, name: &str, arguments: Vec<Value>) -> Answer<Result<T, WriteError>> {
        match self.call(name, arguments) {
            Err(WriteError::UnknownDialect(_)) => Err(Refusal("unknown dialect".to_owned())),
            answer => Ok(answer),
        }
    }
}

/// All files, each by its owner.
fn everything() -> Value {
    let request = Request {
        dialect: None,
        targets: Vec::new(),
        paths: Vec::new(),
    };
    request.to_value()
}

fn refusal<E: Crossing>(error: E) -> Refusal {
    Refusal(error.to_value().to_string())
}

impl Runtime for Remote {
    fn dialects(&mut self) -> Answer<Vec<Dialect>> {
        self.documents("dialects", vec![Kind::Agent.to_value()])
    }

    fn dialects_in_use(&mut self) -> Answer<Vec<String>> {
        self.ask(&[], "in-use", vec![Kind::Agent.to_value()])?
            .map_err(refusal)
    }

    fn check(&mut self, request: &Request, build: Option<&Build>) -> Answer<Report> {
        let arguments = vec![request.to_value(), build.cloned().to_value()];
        self.ask(&request.paths, "check", arguments)?.map_err(refusal)
    }

    fn graph(&mut self, scope: &Scope, part: Part) -> Answer<Graph> {
        let arguments = vec![everything(), scope.to_value(), part.to_value()];
        self.ask(&[], "graph", arguments)?.map_err(refusal)
    }

    fn inventory(&mut self) -> Answer<Inventory> {
        self.ask(&[], "inventory", vec![everything()])?.map_err(refusal)
    }

    fn rename(&mut self, path: &str, to: &str) -> Answer<Result<Renaming, String>> {
        match self.ask(&[], "rename", vec![json!(path), json!(to)])? {
            Err(CatalogError::Other(reason)) => Ok(Err(reason)),
            renaming => renaming.map(Ok).map_err(refusal),
        }
    }

    fn compose(&mut self, build: &Build) -> Answer<Result<Composition, String>> {
        match self.ask(&[], "compose", vec![build.to_value()])? {
            Err(CatalogError::Other(reason)) => Ok(Err(reason)),
            composition => composition.map(Ok).map_err(refusal),
        }
    }

    fn locations(&mut self, dialect: &str) -> Answer<Vec<Location>> {
        let project = self.project(&sources(&self.settings, &self.ancestors));
        let arguments = vec![json!(dialect), Kind::Agent.to_value()];
        project
            .call::<_, CatalogError>("locations", arguments)
            .map_err(refusal)
    }

    fn discover(&mut self, path: &str) -> Answer<(Vec<Found>, Vec<Diagnostic>)> {
        if !Path::new(path).exists() {
            return Err(Refusal(format!("cannot read {path}")));
        }
        let mut driver = lock(&self.driver);
        driver.lend(self.world.named(path));
        let found = driver.call::<_, DocumentError>("documents.discover", vec![json!(path)]);
        found.map_err(refusal)
    }

    fn read(&mut self, path: &str) -> Answer<Vec<u8>> {
        let contents = self.world.disk.read(path);
        contents.map_err(|error| Refusal(format!("cannot read {path}: {error:?}")))
    }

    fn parse(&mut self, file: &Found, contents: &[u8]) -> Answer<Parsed> {
        let Found { path, dialect, level } = file;
        let level = level.map(|level| level.to_value());
        let arguments = vec![json!(path), u8::to_list(contents), json!(dialect), json!(level)];
        self.documents("parse", arguments)
    }

    fn complete(&mut self, spot: &Spot) -> Answer<Completions> {
        self.ask(&[], "complete", vec![spot.to_value()])?.map_err(refusal)
    }

    fn render(&mut self, draft: &Draft, dialect: &str) -> Answer<Result<String, WriteError>> {
        self.written("render", vec![draft.to_value(), json!(dialect)])
    }

    fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
        prompt: Option<&str>,
    ) -> Answer<Result<Vec<Edit>, WriteError>> {
        let (contents, changes) = (u8::to_list(contents), KeyChange::to_list(changes));
        self.written("revise", vec![contents, json!(dialect), changes, json!(prompt)])
    }

    fn readers(&mut self) -> Answer<Vec<Reader>> {
        self.documents("readers", Vec::new())
    }

    fn readings(&mut self, path: &str, contents: &[u8]) -> Answer<Vec<Seen>> {
        let below = path.strip_prefix(&self.settings.project);
        let path = below.and_then(|below| below.strip_prefix('/')).unwrap_or(path);
        self.documents("readings", vec![json!(path), u8::to_list(contents)])
    }

    fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: Option<&str>,
        to: &str,
        allow_loss: bool,
    ) -> Answer<Result<Converted, Option<Vec<Carried>>>> {
        let arguments = vec![
            json!(path),
            u8::to_list(contents),
            json!(dialect),
            json!(to),
            json!(allow_loss),
        ];
        match self.call("convert", arguments) {
            Ok(converted) => Ok(Ok(converted)),
            Err(ConvertError::Refused(report)) => Ok(Err(Some(report))),
            Err(ConvertError::Unusable(_)) => Ok(Err(None)),
            Err(error) => Err(refusal(error)),
        }
    }

    fn open(&self, dialect: &str) -> Answer<Box<dyn Catalog>> {
        let project = self.project(&sources(&self.settings, &self.ancestors));
        let options = options(dialect);
        let (dialect, kind, check) = (json!(dialect), options.kind.to_value(), options.check.to_value());
        let asked = vec![dialect.clone(), kind.clone()];
        let locations = project.call::<Vec<Location>, CatalogError>("locations", asked);
        let asked = vec![dialect, kind, check];
        let referred = project.call::<Vec<String>, CatalogError>("referred", asked);
        let locations = locations.map_err(refusal)?.into_iter().map(|it| it.directory);
        let names: Vec<String> = locations.chain(referred.map_err(refusal)?).collect();
        let arguments = vec![project.resource.to_value(), options.to_value()];
        let opened = {
            let mut driver = lock(&self.driver);
            driver.lend(self.world.at(&names));
            driver.call::<Resource, CatalogError>("catalogs.catalog.open", arguments)
        };
        let driver = Shared::clone(&self.driver);
        Ok(Box::new(Open {
            held: Held {
                driver,
                resource: opened.map_err(refusal)?,
            },
            world: self.world.clone(),
            names,
            project: self.settings.project.clone(),
        }))
    }
}

/// A catalog that is open in a driver.
struct Open {
    held: Held,
    world: World,
    /// The files that it may see.
    names: Vec<String>,
    project: String,
}

impl Open {
    /// Every call gets the current files.
    fn call<T: Crossing>(&self, name: &str, arguments: Vec<Value>) -> Answer<T> {
        let files = self.world.at(&self.names);
        let answer = self.held.call_with::<T, CatalogError>(files, name, arguments);
        answer.map_err(refusal)
    }
}

impl Catalog for Open {
    fn refresh(&mut self) -> Answer<Vec<Change>> {
        self.call("refresh", Vec::new())
    }

    fn visited(&mut self) -> Answer<Vec<Visited>> {
        self.call("visited", Vec::new())
    }

    fn names(&mut self) -> Answer<Vec<String>> {
        self.call("names", Vec::new())
    }

    fn entries(&mut self, all: bool) -> Answer<Vec<Entry>> {
        self.call("entries", vec![json!(all)])
    }

    fn get(&mut self, name: &str) -> Answer<Option<Agent>> {
        self.call("get", vec![json!(name)])
    }

    fn search(&mut self, query: &str, limit: u32) -> Answer<Vec<Entry>> {
        self.call("search", vec![json!(query), json!(limit)])
    }

    fn explain(&mut self, name: &str) -> Answer<Explanation> {
        self.call("explain", vec![json!(name)])
    }

    fn grants(&mut self, name: &str, offered: &[String]) -> Answer<Option<Grants>> {
        self.call("grants", vec![json!(name), json!(offered)])
    }

    fn diagnostics(&mut self) -> Answer<Vec<Diagnostic>> {
        self.call("diagnostics", Vec::new())
    }

    fn suppressed(&mut self) -> Answer<Vec<Diagnostic>> {
        self.call("suppressed", Vec::new())
    }

    fn register(&mut self, name: &str, contents: &str) -> Answer<()> {
        self.call("register", vec![json!(name), json!(contents)])
    }

    fn counters(&mut self) -> Answer<Counters> {
        self.call("counters", Vec::new())
    }

    fn session(
        &mut self,
        task: &Task,
        tools: &[ToolSpec],
        settings: &delegation::Settings,
    ) -> Answer<Result<Box<dyn Machine>, SessionError>> {
        // Instructions import files from anywhere in the project.
        let imported = settings.surroundings.is_some().then(|| self.project.clone());
        let names: Vec<String> = self.names.iter().cloned().chain(imported).collect();
        let files = self.world.at(&names);
        let catalog = self.held.resource.to_value();
        let arguments = vec![
            catalog,
            task.to_value(),
            ToolSpec::to_list(tools),
            settings.to_value(),
        ];
        Ok(session::begin(&self.held.driver, files, "open", arguments))
    }

    fn restore(&mut self, snapshot: &[u8]) -> Answer<Result<Box<dyn Machine>, SessionError>> {
        Ok(session::begin(
            &self.held.driver,
            self.world.at(&self.names),
            "restore",
            vec![u8::to_list(snapshot)],
        ))
    }
}
