//! The core, linked into the tests. Its answers go through the component's own conversion.

use std::path::Path;
use std::rc::Rc;

use callsheet::catalogs::{Change, Counters, Entry, Explanation, Grants, Location, Visited};
use callsheet::conversation::ToolSpec;
use callsheet::delegation::{self, SessionError, Task};
use callsheet::documents::{
    Carried, ConvertError, Converted, Dialect, Draft, Found, KeyChange, Parsed, Reader, Seen, WriteError,
};
use callsheet::projects::{
    Build, Completions, Composition, Graph, Inventory, Part, Renaming, Report, Request, Scope, Spot,
};
use callsheet::types::{Agent, Diagnostic, Edit};
use callsheet_convert::{self as convert, conversation, sessions, written};
use callsheet_core::dialect::{Dialects, Kind, UnknownDialect};
use callsheet_core::files::Files;
use callsheet_core::project::installed;
use callsheet_core::reader::Readers;
use callsheet_core::{catalog, convert as conversion, document, project as core, session};

use super::{Answer, Catalog, Machine, Refusal, Runtime, ancestors, options, sources};
use crate::commands::Settings;
use crate::disk::Disk;
use callsheet_invariants::with_dialects;

/// The core with the files of the disk.
pub struct Native {
    dialects: Dialects,
    settings: Settings,
    ancestors: Vec<String>,
    disk: Disk,
}

impl Native {
    /// Fails like the host if the project does not exist.
    pub fn open(settings: &Settings) -> Answer<Self> {
        if !Path::new(&settings.project).is_dir() {
            return Err(Refusal(format!("cannot read {}", settings.project)));
        }
        let ancestors = ancestors(&settings.project);
        Ok(Self {
            dialects: Dialects::embedded(),
            disk: Disk::new(settings, &ancestors),
            settings: settings.clone(),
            ancestors,
        })
    }

    fn project(&self) -> core::Project {
        convert::project(sources(&self.settings, &self.ancestors))
    }

    fn options(&self, dialect: &str) -> catalog::Options {
        convert::options(&self.project(), &options(dialect))
    }
}

fn unknown(_: UnknownDialect) -> Refusal {
    Refusal("unknown dialect".to_owned())
}

impl Runtime for Native {
    fn dialects(&mut self) -> Answer<Vec<Dialect>> {
        Ok(self
            .dialects
            .iter()
            .map(|dialect| convert::dialect(dialect))
            .collect())
    }

    fn dialects_in_use(&mut self) -> Answer<Vec<String>> {
        Ok(core::in_use(
            &self.disk,
            &self.dialects,
            &self.project(),
            Kind::Agent,
        ))
    }

    fn check(&mut self, request: &Request, build: Option<&Build>) -> Answer<Report> {
        let files: Rc<dyn Files> = Rc::new(self.disk.clone());
        let request = convert::request(request.clone());
        let build = build.cloned().map(convert::build);
        let report = core::check(&files, &self.dialects, &self.project(), &request, build.as_ref());
        report
            .map(convert::report)
            .map_err(|error| Refusal(format!("{error:?}")))
    }

    fn graph(&mut self, scope: &Scope, part: Part) -> Answer<Graph> {
        let files: Rc<dyn Files> = Rc::new(self.disk.clone());
        let (project, request) = (self.project(), core::Request::default());
        let (scope, part) = (convert::scope(scope.clone()), convert::part(part));
        let graph = core::graph(&files, &self.dialects, &project, &request, &scope, part);
        graph
            .map(convert::graph)
            .map_err(|error| Refusal(format!("{error:?}")))
    }

    fn inventory(&mut self) -> Answer<Inventory> {
        let files: Rc<dyn Files> = Rc::new(self.disk.clone());
        let inventory = core::inventory(&files, &self.dialects, &self.project(), &core::Request::default());
        inventory
            .map(convert::inventory)
            .map_err(|error| Refusal(format!("{error:?}")))
    }

    fn rename(&mut self, path: &str, to: &str) -> Answer<Result<Renaming, String>> {
        let files: Rc<dyn Files> = Rc::new(self.disk.clone());
        let project = self.project();
        match core::rename(&files, &self.dialects, &Readers::embedded(), &project, path, to) {
            Ok(renaming) => Ok(Ok(convert::renaming(renaming))),
            Err(catalog::CatalogError::Other(reason)) => Ok(Err(reason)),
            Err(error) => Err(Refusal(format!("{error:?}"))),
        }
    }

    fn compose(&mut self, build: &Build) -> Answer<Result<Composition, String>> {
        let files: Rc<dyn Files> = Rc::new(self.disk.clone());
        let build = convert::build(build.clone());
        match core::compose(&files, &self.dialects, &self.project(), &build) {
            Ok(composition) => Ok(Ok(convert::composition(composition))),
            Err(catalog::CatalogError::Other(reason)) => Ok(Err(reason)),
            Err(error) => Err(Refusal(format!("{error:?}"))),
        }
    }

    fn locations(&mut self, dialect: &str) -> Answer<Vec<Location>> {
        let locations = catalog::locations(&self.dialects, &self.options(dialect)).map_err(unknown)?;
        Ok(locations.into_iter().map(convert::location).collect())
    }

    fn discover(&mut self, path: &str) -> Answer<(Vec<Found>, Vec<Diagnostic>)> {
        if !Path::new(path).exists() {
            return Err(Refusal(format!("cannot read {path}")));
        }
        let (found, diagnostics) = core::discover(&self.disk, &self.dialects, path);
        let found = found.into_iter().map(convert::found).collect();
        Ok((found, convert::diagnostics(diagnostics)))
    }

    fn read(&mut self, path: &str) -> Answer<Vec<u8>> {
        let contents = self.disk.read(path);
        contents.map_err(|error| Refusal(format!("cannot read {path}: {error:?}")))
    }

    fn parse(&mut self, file: &Found, contents: &[u8]) -> Answer<Parsed> {
        let (dialect, level) = (file.dialect.as_deref(), file.level.map(convert::core_level));
        let parsed = document::parse(&file.path, contents, dialect, level, &self.dialects);
        parsed.map(convert::parsed).map_err(unknown)
    }

    fn complete(&mut self, spot: &Spot) -> Answer<Completions> {
        let files: Rc<dyn Files> = Rc::new(self.disk.clone());
        let found = core::complete(&files, &self.dialects, &self.project(), &convert::spot(spot));
        found
            .map(convert::completions)
            .map_err(|error| Refusal(format!("{error:?}")))
    }

    fn render(&mut self, draft: &Draft, dialect: &str) -> Answer<Result<String, WriteError>> {
        let dialect = self.dialects.named(dialect, Kind::Agent).map_err(unknown)?;
        let text = conversion::render(&written::draft(draft.clone()), dialect);
        Ok(text.map_err(written::refused))
    }

    fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
        prompt: Option<&str>,
    ) -> Answer<Result<Vec<Edit>, WriteError>> {
        let dialect = self.dialects.named(dialect, Kind::Agent).map_err(unknown)?;
        let changes = written::changes(changes.to_vec());
        let edits = conversion::edit(contents, dialect, &changes, prompt);
        Ok(edits.map(written::edits).map_err(written::edit_error))
    }

    fn readers(&mut self) -> Answer<Vec<Reader>> {
        let readers = Readers::embedded();
        Ok(readers.iter().map(|reader| convert::reader(reader)).collect())
    }

    fn readings(&mut self, path: &str, contents: &[u8]) -> Answer<Vec<Seen>> {
        let below = path.strip_prefix(&self.settings.project);
        let path = below.and_then(|below| below.strip_prefix('/')).unwrap_or(path);
        let seen = document::readings(path, contents, &self.dialects, &Readers::embedded());
        Ok(seen.into_iter().map(convert::seen).collect())
    }

    fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: Option<&str>,
        to: &str,
        allow_loss: bool,
    ) -> Answer<Result<Converted, Option<Vec<Carried>>>> {
        let result = conversion::convert(path, contents, dialect, to, allow_loss, &self.dialects);
        match result.map(convert::converted).map_err(convert::convert_error) {
            Ok(converted) => Ok(Ok(converted)),
            Err(ConvertError::Refused(report)) => Ok(Err(Some(report))),
            Err(ConvertError::Unusable(_)) => Ok(Err(None)),
            Err(error) => Err(Refusal(format!("{error:?}"))),
        }
    }

    fn open(&self, dialect: &str) -> Answer<Box<dyn Catalog>> {
        let files = Box::new(self.disk.clone());
        let opened = installed::open(files, &self.dialects, self.options(dialect));
        let opened = opened.map_err(|error| Refusal(format!("{error:?}")))?;
        Ok(Box::new(opened))
    }
}

impl Catalog for catalog::Catalog {
    fn refresh(&mut self) -> Answer<Vec<Change>> {
        Ok(installed::refresh(self)
            .into_iter()
            .map(convert::change)
            .collect())
    }

    fn visited(&mut self) -> Answer<Vec<Visited>> {
        Ok(catalog::Catalog::visited(self)
            .into_iter()
            .map(convert::visited)
            .collect())
    }

    fn names(&mut self) -> Answer<Vec<String>> {
        Ok(catalog::Catalog::names(self))
    }

    fn entries(&mut self, all: bool) -> Answer<Vec<Entry>> {
        Ok(convert::entries(catalog::Catalog::entries(self, all)))
    }

    fn get(&mut self, name: &str) -> Answer<Option<Agent>> {
        let got = self.get(name);
        Ok(got.map(|(definition, origin)| convert::agent((*definition).clone(), origin)))
    }

    fn search(&mut self, query: &str, limit: u32) -> Answer<Vec<Entry>> {
        Ok(convert::entries(catalog::Catalog::search(self, query, limit)))
    }

    fn explain(&mut self, name: &str) -> Answer<Explanation> {
        Ok(convert::explanation(catalog::Catalog::explain(self, name)))
    }

    fn grants(&mut self, name: &str, offered: &[String]) -> Answer<Option<Grants>> {
        Ok(self.grants(name, offered).map(convert::grants))
    }

    fn diagnostics(&mut self) -> Answer<Vec<Diagnostic>> {
        Ok(convert::diagnostics(catalog::Catalog::diagnostics(self)))
    }

    fn suppressed(&mut self) -> Answer<Vec<Diagnostic>> {
        Ok(convert::diagnostics(catalog::Catalog::suppressed(self)))
    }

    fn register(&mut self, name: &str, contents: &str) -> Answer<()> {
        let registered = self.register(name, contents);
        registered.map_err(|error| Refusal(format!("{error:?}")))
    }

    fn counters(&mut self) -> Answer<Counters> {
        Ok(convert::counters(catalog::Catalog::counters(self)))
    }

    fn session(
        &mut self,
        task: &Task,
        tools: &[ToolSpec],
        settings: &delegation::Settings,
    ) -> Answer<Result<Box<dyn Machine>, SessionError>> {
        let (task, settings) = (sessions::task(task.clone()), sessions::settings(settings.clone()));
        let tools = conversation::specs(tools.to_vec());
        Ok(boxed(session::Session::open(self, &task, tools, settings)))
    }

    fn restore(&mut self, snapshot: &[u8]) -> Answer<Result<Box<dyn Machine>, SessionError>> {
        Ok(boxed(with_dialects(|dialects| {
            session::Session::restore(dialects, snapshot)
        })))
    }
}

fn boxed(opened: Result<session::Session, session::SessionError>) -> Result<Box<dyn Machine>, SessionError> {
    match opened {
        Ok(session) => Ok(Box::new(session)),
        Err(error) => Err(sessions::error(error)),
    }
}
