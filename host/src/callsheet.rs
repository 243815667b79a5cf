//! The entry point of the library.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bindings::exports::callsheet::agents::catalogs::{Card, Options, SectionError};
use crate::bindings::exports::callsheet::agents::delegation::{Reach, Settings};
use crate::bindings::exports::callsheet::agents::documents::{
    Annotations, ConvertError, Converted, Dialect, Draft, Found, InvalidName, KeyChange, NameError, Parsed,
    Reader, Rule, Seen,
};
use crate::bindings::exports::callsheet::agents::types::{Diagnostic, Edit, Kind, Level};
use crate::builder::Builder;
use crate::engine::{self, Loaded};
use crate::files::{self, Files};
use crate::places;
use crate::projects::{Location, Plugin, Sources};
use crate::sandbox::Sandbox;
use crate::watch::Ground;
use crate::{Catalog, Error, Place, Result};

impl Builder {
    /// Fails with [`Error::Path`](crate::Error::Path) if the project or a given directory is missing, and with
    /// [`Error::Component`](crate::Error::Component) if the component cannot be loaded.
    pub fn build(self) -> Result<Callsheet> {
        Callsheet::new(self)
    }
}

/// The component, and the files that it may read.
pub struct Callsheet {
    settings: Builder,
    loaded: Loaded,
    ancestors: Vec<Place>,
    sandbox: Sandbox,
}

impl Callsheet {
    /// Settings to start from.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn new(mut settings: Builder) -> Result<Self> {
        let loaded = match &settings.component {
            #[cfg(feature = "jit")]
            Some(file) => crate::foreign::load(file)?,
            _ => engine::embedded()?,
        };
        let ancestors = settings.project.ancestors();
        let files = Files::new(&settings, &ancestors)?;
        let mut sandbox = Sandbox::new(loaded.clone(), settings.memory_limit, files);
        if let Some(home) = settings.home.as_ref().filter(|_| settings.is_users_home) {
            let known = sandbox.call("asking for variables", |world, store| {
                world.callsheet_agents_documents().call_variables(store)
            })?;
            let moved = known.into_iter().filter_map(|known| {
                let others = [home, &settings.project].into_iter().chain(&ancestors);
                let place = places::moved(&known.name, &known.replaces, others)?;
                Some((known.name, place))
            });
            settings.variables = moved.collect();
            for (_, place) in &settings.variables {
                sandbox.files().add(place);
            }
        }
        Ok(Self {
            settings,
            loaded,
            ancestors,
            sandbox,
        })
    }

    /// From now on, reads these contents instead of the file's. Neither the file nor its directories need exist.
    ///
    /// Fails with [`Error::Path`] if a part of the path is a file, or cannot be read.
    pub fn set_unsaved(&mut self, path: &Path, contents: Vec<u8>) -> Result<()> {
        let real = files::real(path).map_err(|source| Error::path(&path.to_string_lossy(), source))?;
        Arc::make_mut(&mut self.settings.unsaved).insert(real, contents.into());
        self.sandbox
            .files()
            .set_unsaved(Arc::clone(&self.settings.unsaved));
        Ok(())
    }

    /// From now on, reads the file itself again.
    pub fn forget_unsaved(&mut self, path: &Path) {
        // Its directories may have changed since.
        let real = files::real(path).ok();
        let unsaved = Arc::make_mut(&mut self.settings.unsaved);
        for known in real.iter().map(|real| &**real).chain([path]) {
            unsaved.remove(known);
        }
        self.sandbox
            .files()
            .set_unsaved(Arc::clone(&self.settings.unsaved));
    }

    /// The system path of a file or directory in a report, possibly with links.
    pub fn system_path(&mut self, name: &str) -> Option<PathBuf> {
        self.sandbox.files().system_path(name).map(|(_, path)| path)
    }

    /// The path of a file or directory in a report from the top of the project's repository, or else from the project, with `/`; none if
    /// it is not below it.
    pub fn path_in_repository(&mut self, name: &str) -> Option<String> {
        let below = self.sandbox.files().in_repository(name)?;
        let steps: Vec<_> = below.iter().map(|step| step.to_string_lossy()).collect();
        Some(if steps.is_empty() {
            ".".to_owned()
        } else {
            steps.join("/")
        })
    }

    pub(crate) fn sandbox_files(&mut self) -> &mut Files {
        self.sandbox.files()
    }

    pub(crate) fn sandbox_mut(&mut self) -> &mut Sandbox {
        &mut self.sandbox
    }

    pub(crate) fn settings(&self) -> &Builder {
        &self.settings
    }

    pub(crate) fn ancestors(&self) -> &[Place] {
        &self.ancestors
    }

    /// Every dialect, sorted by name.
    pub fn dialects(&mut self) -> Result<Vec<Dialect>> {
        self.dialects_for(Kind::Agent)
    }

    /// Every dialect with rules for files of this kind, sorted by name.
    pub fn dialects_for(&mut self, kind: Kind) -> Result<Vec<Dialect>> {
        self.sandbox.call("listing the dialects", |world, store| {
            world.callsheet_agents_documents().call_dialects(store, kind)
        })
    }

    /// Every reader, sorted by name.
    pub fn readers(&mut self) -> Result<Vec<Reader>> {
        self.sandbox.call("listing the readers", |world, store| {
            world.callsheet_agents_documents().call_readers(store)
        })
    }

    /// How every reader reads a file. `path` is only a name: no file is accessed.
    pub fn readings(&mut self, path: &str, contents: &[u8]) -> Result<Vec<Seen>> {
        // A bare `agents` has a meaning only in the project.
        let below = path.strip_prefix(&self.settings.project.name);
        let path = below.and_then(|below| below.strip_prefix('/')).unwrap_or(path);
        self.sandbox.call(&format!("reading {path}"), |world, store| {
            world
                .callsheet_agents_documents()
                .call_readings(store, path, contents)
        })
    }

    /// Every rule, sorted by name.
    pub fn rules(&mut self) -> Result<Vec<Rule>> {
        self.sandbox.call("listing the rules", |world, store| {
            world.callsheet_agents_documents().call_rules(store)
        })
    }

    /// Reads one definition. `path` is only a name: no file is accessed.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown.
    pub fn parse(&mut self, path: &str, contents: &[u8], dialect: Option<&str>) -> Result<Parsed> {
        let (path, dialect) = (path.to_owned(), dialect.map(str::to_owned));
        let level = None;
        self.parse_found(&Found { path, dialect, level }, contents)
    }

    /// Reads one definition as in the place where it was found: some keys have no effect in a plugin. No file is accessed.
    ///
    /// Fails with [`Error::UnknownDialect`] if its dialect is unknown.
    pub fn parse_found(&mut self, found: &Found, contents: &[u8]) -> Result<Parsed> {
        let (path, dialect) = (&*found.path, found.dialect.as_deref());
        self.sandbox
            .call(&format!("reading {path}"), |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_parse(store, path, contents, dialect, found.level)
            })?
            .map_err(|error| Error::document(error, dialect))
    }

    /// What an editor shows in a file besides its text. No file is accessed.
    ///
    /// Fails with [`Error::UnknownDialect`] if its dialect is unknown.
    pub fn annotate(&mut self, found: &Found, contents: &[u8]) -> Result<Annotations> {
        let (path, dialect) = (&*found.path, found.dialect.as_deref());
        self.sandbox
            .call(&format!("annotating {path}"), |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_annotate(store, path, contents, dialect, found.level)
            })?
            .map_err(|error| Error::document(error, dialect))
    }

    /// An edit that adds a comment which suppresses a finding of a file, of this rule and from the byte `at` on; none if no comment can, or one
    /// does. No file is accessed.
    ///
    /// Fails with [`Error::UnknownDialect`] if its dialect is unknown.
    pub fn suppress(&mut self, found: &Found, contents: &[u8], rule: &str, at: u32) -> Result<Option<Edit>> {
        let (path, dialect) = (&*found.path, found.dialect.as_deref());
        self.sandbox
            .call(&format!("suppressing findings in {path}"), |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_suppress(store, path, contents, rule, at, dialect)
            })?
            .map_err(|error| Error::document(error, dialect))
    }

    /// The file of a new definition, below the directory of its dialect; or why none can have this name. No file is accessed.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown.
    pub fn name_file(&mut self, name: &str, dialect: &str) -> Result<Result<String, InvalidName>> {
        let named = self.sandbox.call("naming a file", |world, store| {
            let documents = world.callsheet_agents_documents();
            documents.call_name_file(store, name, dialect)
        })?;
        match named {
            Ok(file) => Ok(Ok(file)),
            Err(NameError::Invalid(invalid)) => Ok(Err(invalid)),
            Err(NameError::UnknownDialect(nearest)) => Err(Error::UnknownDialect {
                asked: dialect.into(),
                nearest,
            }),
            Err(NameError::Other(reason)) => Err(Error::Document(reason)),
        }
    }

    /// The text of a new file for a draft. Nothing is written.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown and with [`Error::Unwritten`] if it cannot express something.
    pub fn render(&mut self, draft: &Draft, dialect: &str) -> Result<String> {
        self.sandbox
            .call("writing an agent", |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_render(store, draft, dialect)
            })?
            .map_err(|error| Error::unwritten(error, dialect))
    }

    /// The edits that make these changes to a file's contents and replace its prompt; none if nothing changes. Nothing is written.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown and with [`Error::Unwritten`] if the changes are impossible.
    pub fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
        prompt: Option<&str>,
    ) -> Result<Vec<Edit>> {
        self.sandbox
            .call("editing an agent", |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_revise(store, contents, dialect, changes, prompt)
            })?
            .map_err(|error| Error::unwritten(error, dialect))
    }

    /// Converts one definition to the dialect `to`, or to a kind and a dialect, such as `skill:codex`. `path` is only a name: no file is
    /// accessed.
    ///
    /// Fails with [`Error::UnknownDialect`] if one of the dialects is unknown, with [`Error::Unusable`] if the file is not an agent that
    /// loads, and with [`Error::Refused`] if the dialect cannot express something.
    pub fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: Option<&str>,
        to: &str,
        allow_loss: bool,
    ) -> Result<Converted> {
        let converted = self.sandbox.call(&format!("converting {path}"), |world, store| {
            let documents = world.callsheet_agents_documents();
            documents.call_convert(store, path, contents, dialect, to, allow_loss)
        })?;
        if matches!(converted, Err(ConvertError::UnknownDialect(_))) {
            // The given one may be the unknown one.
            self.parse(path, contents, dialect)?;
        }
        converted.map_err(|error| Error::convert(error, to))
    }

    /// The agent files at or below a path of the caller, with what could not be searched.
    ///
    /// Fails with [`Error::Path`] if it is not found.
    pub fn discover(&mut self, path: &str) -> Result<(Vec<Found>, Vec<Diagnostic>)> {
        let granted = self.sandbox.files().grant_explicitly(path);
        granted.map_err(|source| Error::path(path, source))?;
        self.sandbox.call(&format!("searching {path}"), |world, store| {
            world.callsheet_agents_documents().call_discover(store, path)
        })
    }

    /// The text of instructions such as `AGENTS.md` with a section that lists these agents; the reason if its marks are not one pair.
    pub fn with_section(
        &mut self,
        text: &str,
        agents: &[Card],
    ) -> Result<std::result::Result<String, String>> {
        let text = self.sandbox.call("listing agents", |world, store| {
            let catalogs = world.callsheet_agents_catalogs();
            catalogs.call_with_section(store, text, agents)
        })?;
        Ok(text.map_err(|error| match error {
            SectionError::BadMarks(reason) | SectionError::Other(reason) => reason,
        }))
    }

    /// The contents of a file of the caller, within the component's limits.
    ///
    /// Fails with [`Error::Path`] if it cannot be read.
    pub fn read(&mut self, path: &str) -> Result<Vec<u8>> {
        let contents = self.sandbox.files().named(path);
        contents.map_err(|source| Error::path(path, source))
    }

    /// Every directory that a catalog of this dialect reads, the lowest precedence first. No file is accessed.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown.
    pub fn locations(&mut self, dialect: &str) -> Result<Vec<Location>> {
        self.locations_for(dialect, Kind::Agent)
    }

    /// The same for files of another kind.
    ///
    /// Fails as [`locations`](Self::locations) does.
    pub fn locations_for(&mut self, dialect: &str, kind: Kind) -> Result<Vec<Location>> {
        let sources = self.sources();
        self.sandbox
            .ask("naming the locations", &sources, |project, store, handle| {
                project.call_locations(store, handle, dialect, kind)
            })?
            .map_err(|error| Error::catalog(error, dialect))
    }

    /// The directory for new files of a project with this root.
    ///
    /// Fails as [`own_directory`](Self::own_directory) does.
    pub fn directory_below(&mut self, root: String, dialect: &str, kind: Kind) -> Result<Option<String>> {
        let sources = Sources {
            directory: root,
            ancestors: Vec::new(),
            ..self.sources()
        };
        self.sandbox
            .ask("naming the directory", &sources, |project, store, handle| {
                project.call_own_directory(store, handle, dialect, kind, Level::Project)
            })?
            .map_err(|error| Error::catalog(error, dialect))
    }

    /// The directory for new agents of this level: the dialect's own of highest precedence, else any of highest precedence. None if it has no
    /// agents of this level.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown.
    pub fn own_directory(&mut self, dialect: &str, level: Level) -> Result<Option<String>> {
        self.own_directory_for(dialect, Kind::Agent, level)
    }

    /// The same for files of another kind.
    ///
    /// Fails as [`own_directory`](Self::own_directory) does.
    pub fn own_directory_for(&mut self, dialect: &str, kind: Kind, level: Level) -> Result<Option<String>> {
        let sources = self.sources();
        self.sandbox
            .ask("naming the directory", &sources, |project, store, handle| {
                project.call_own_directory(store, handle, dialect, kind, level)
            })?
            .map_err(|error| Error::catalog(error, dialect))
    }

    /// The directories that a catalog of this dialect reads, as system paths.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown.
    pub fn grounds(&mut self, dialect: &str) -> Result<Vec<Ground>> {
        let locations = self.locations(dialect)?;
        let sources = self.sources();
        let referred = self
            .sandbox
            .ask("naming the locations", &sources, |project, store, handle| {
                project.call_referred(store, handle, dialect, Kind::Agent, false)
            })?
            .map_err(|error| Error::catalog(error, dialect))?;
        let mut grounds = Vec::new();
        for location in locations {
            grounds.extend(self.ground(&location.directory, location.recursive));
        }
        // Some of them have settings with agents.
        let others = referred.iter().filter_map(|name| self.ground(name, false));
        grounds.extend(others.filter(|ground| ground.path.is_dir()));
        Ok(grounds)
    }

    /// A directory of a report, as a system path.
    pub(crate) fn ground(&mut self, name: &str, recursive: bool) -> Option<Ground> {
        let (top, path) = self.sandbox.files().system_path(name)?;
        Some(Ground { top, path, recursive })
    }

    /// The default settings of a session. Both directories are absolute.
    pub fn default_settings(&mut self, root: &str, home: Option<&str>) -> Result<Settings> {
        self.sandbox.call("settling a session", |world, store| {
            let delegation = world.callsheet_agents_delegation();
            delegation.call_default_settings(store, root, home)
        })
    }

    /// The files that an MCP server of a project may change, and its network access. The directory is absolute.
    pub fn server_reach(&mut self, root: &str) -> Result<Reach> {
        self.sandbox
            .call("asking what a server may reach", |world, store| {
                world.callsheet_agents_delegation().call_server_reach(store, root)
            })
    }

    /// Opens the catalog of one dialect and reads its sources.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is unknown and with [`Error::Catalog`] if the agents given on the command line
    /// cannot be read.
    pub fn open(&self, dialect: &str) -> Result<Catalog> {
        self.open_for(dialect, Kind::Agent)
    }

    /// Opens the catalog of one dialect for files of one kind, and reads its sources.
    ///
    /// Fails as [`open`](Self::open) does.
    pub fn open_for(&self, dialect: &str, kind: Kind) -> Result<Catalog> {
        let files = Files::new(&self.settings, &self.ancestors)?;
        let sandbox = Sandbox::new(self.loaded.clone(), self.settings.memory_limit, files);
        let options = Options {
            dialect: dialect.into(),
            kind,
            cache_capacity: self.settings.cache_capacity,
            check: self.settings.check,
        };
        Catalog::open(sandbox, self.sources(), options)
    }

    pub(crate) fn sources(&self) -> Sources {
        let settings = &self.settings;
        Sources {
            directory: settings.project.name.clone(),
            ancestors: self.ancestors.iter().map(|place| place.name.clone()).collect(),
            home: self.home().map(|place| place.name.clone()),
            variables: settings
                .variables
                .iter()
                .map(|(variable, _)| variable.clone())
                .collect(),
            plugins: settings.plugins.iter().map(plugin).collect(),
            directories: settings
                .directories
                .iter()
                .map(|place| place.name.clone())
                .collect(),
            inline: settings.inline.clone(),
            fail_closed: settings.fail_closed,
        }
    }

    /// The home directory, unless it is the project or above it: its agents would be found twice.
    fn home(&self) -> Option<&Place> {
        let home = self.settings.home.as_ref()?;
        let real = home.path.canonicalize().ok();
        let mut project = [&self.settings.project].into_iter().chain(&self.ancestors);
        let is_project = real.is_some() && project.any(|place| place.path.canonicalize().ok() == real);
        (!is_project).then_some(home)
    }
}

fn plugin((name, directory): &(String, Place)) -> Plugin {
    Plugin {
        name: name.clone(),
        directory: directory.name.clone(),
    }
}
