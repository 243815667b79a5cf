//! The entrance to the library.

use crate::bindings::exports::callsheet::agents::catalogs::{Location, Options, Plugin};
use crate::bindings::exports::callsheet::agents::documents::{
    Converted, Dialect, Draft, Found, KeyChange, Parsed, Reader, Rule, Seen,
};
use crate::bindings::exports::callsheet::agents::types::{Diagnostic, Edit};
use crate::builder::Builder;
use crate::engine::Loaded;
use crate::files::Files;
use crate::sandbox::Sandbox;
use crate::watch::Ground;
use crate::{Catalog, Error, Place, Result};

/// The component, and the files that it may see.
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

    pub(crate) fn new(settings: Builder) -> Result<Self> {
        let loaded = Loaded::for_settings(&settings)?;
        let ancestors = settings.project.ancestors();
        let files = Files::new(&settings, &ancestors)?;
        let sandbox = Sandbox::new(loaded.clone(), settings.memory_limit, files);
        Ok(Self {
            settings,
            loaded,
            ancestors,
            sandbox,
        })
    }

    pub(crate) fn sandbox_files(&mut self) -> &mut Files {
        self.sandbox.files()
    }

    #[cfg(test)]
    pub(crate) fn sandbox(&mut self) -> &mut Sandbox {
        &mut self.sandbox
    }

    /// Every dialect, sorted by name.
    pub fn dialects(&mut self) -> Result<Vec<Dialect>> {
        self.sandbox.call("listing the dialects", |world, store| {
            world.callsheet_agents_documents().call_dialects(store)
        })
    }

    /// Every reader, sorted by name.
    pub fn readers(&mut self) -> Result<Vec<Reader>> {
        self.sandbox.call("listing the readers", |world, store| {
            world.callsheet_agents_documents().call_readers(store)
        })
    }

    /// What every reader makes of a file. `path` is only a name: no file is touched.
    pub fn readings(&mut self, path: &str, contents: &[u8]) -> Result<Vec<Seen>> {
        // A bare `agents` means something in the project alone.
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

    /// Reads one definition. `path` is only a name: no file is touched.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect given is not known.
    pub fn parse(&mut self, path: &str, contents: &[u8], dialect: Option<&str>) -> Result<Parsed> {
        let (path, dialect) = (path.to_owned(), dialect.map(str::to_owned));
        let level = None;
        self.parse_found(&Found { path, dialect, level }, contents)
    }

    /// Reads one definition as it lies where it was found: some keys have no effect in a plugin. No file is touched.
    ///
    /// Fails with [`Error::UnknownDialect`] if its dialect is not known.
    pub fn parse_found(&mut self, found: &Found, contents: &[u8]) -> Result<Parsed> {
        let (path, dialect) = (&*found.path, found.dialect.as_deref());
        self.sandbox
            .call(&format!("reading {path}"), |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_parse(store, path, contents, dialect, found.level)
            })?
            .map_err(|error| Error::document(error, dialect))
    }

    /// The text of a new file that says what the draft says. Nothing is written.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is not known and with [`Error::Unwritten`] if anything cannot
    /// be said in it.
    pub fn render(&mut self, draft: &Draft, dialect: &str) -> Result<String> {
        self.sandbox
            .call("writing an agent", |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_render(store, draft, dialect)
            })?
            .map_err(|error| Error::unwritten(error, dialect))
    }

    /// The edits that make these changes to the contents of a file, and put this prompt in the old one's place; none if it
    /// says so already. Nothing is written.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is not known and with [`Error::Unwritten`] if the changes
    /// cannot be made.
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

    /// Says in the dialect `to` what one definition says. `path` is only a name: no file is touched.
    ///
    /// Fails with [`Error::UnknownDialect`] if one of the dialects is not known, with [`Error::Unusable`] if the file is no
    /// agent that loads, and with [`Error::Refused`] if there is anything that cannot be said.
    pub fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: Option<&str>,
        to: &str,
        allow_loss: bool,
    ) -> Result<Converted> {
        if let Some(dialect) = dialect {
            self.locations(dialect)?;
        }
        self.sandbox
            .call(&format!("converting {path}"), |world, store| {
                let documents = world.callsheet_agents_documents();
                documents.call_convert(store, path, contents, dialect, to, allow_loss)
            })?
            .map_err(|error| Error::convert(error, to))
    }

    /// The agent files at or below a path that the caller names, with what could not be searched.
    ///
    /// Fails with [`Error::Path`] if there is nothing of this name.
    pub fn discover(&mut self, path: &str) -> Result<(Vec<Found>, Vec<Diagnostic>)> {
        let granted = self.sandbox.files().grant_explicitly(path);
        granted.map_err(|source| Error::path(path, source))?;
        self.found(path)
    }

    fn found(&mut self, path: &str) -> Result<(Vec<Found>, Vec<Diagnostic>)> {
        self.sandbox.call(&format!("searching {path}"), |world, store| {
            world.callsheet_agents_documents().call_discover(store, path)
        })
    }

    /// The contents of a file that the caller names, within the limits that hold for the component.
    ///
    /// Fails with [`Error::Path`] if it cannot be read.
    pub fn read(&mut self, path: &str) -> Result<Vec<u8>> {
        let contents = self.sandbox.files().named(path);
        contents.map_err(|source| Error::path(path, source))
    }

    /// Every directory that a catalog of this dialect looks at, the weakest first. Touches no file.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is not known.
    pub fn locations(&mut self, dialect: &str) -> Result<Vec<Location>> {
        let options = self.options(dialect);
        self.sandbox
            .call("naming the locations", |world, store| {
                world.callsheet_agents_catalogs().call_locations(store, &options)
            })?
            .map_err(|error| Error::catalog(error, dialect))
    }

    /// Where a catalog of this dialect looks, as the system knows it.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is not known.
    pub fn grounds(&mut self, dialect: &str) -> Result<Vec<Ground>> {
        let locations = self.locations(dialect)?;
        let files = self.sandbox.files();
        let ground = |location: Location| {
            let (top, path) = files.system_path(&location.directory)?;
            let recursive = location.recursive;
            Some(Ground { top, path, recursive })
        };
        Ok(locations.into_iter().filter_map(ground).collect())
    }

    /// The dialects of which a directory of their own is there, in the order of [`dialects`](Self::dialects). Where its name
    /// tells nothing, as that of a bare `agents`, it has to hold a file of that dialect, or none.
    pub fn dialects_in_use(&mut self) -> Result<Vec<String>> {
        let mut in_use = Vec::new();
        for dialect in self.dialects()? {
            for location in self.locations(&dialect.id)? {
                if location.owned && self.is_of(&location, &dialect.id)? {
                    in_use.push(dialect.id);
                    break;
                }
            }
        }
        Ok(in_use)
    }

    fn is_of(&mut self, location: &Location, dialect: &str) -> Result<bool> {
        let directory = &location.directory;
        if !self.sandbox.files().is_directory(directory) {
            return Ok(false);
        }
        let mut parts = directory.split('/');
        if parts.any(|part| part.starts_with('.') && !matches!(part, "." | "..")) {
            return Ok(true);
        }
        // Nobody named it: a link that leads out is not followed.
        self.sandbox.files().grant(location);
        let (found, _) = self.found(directory)?;
        let own = |found: &Found| found.dialect.as_deref() == Some(dialect);
        Ok(found.is_empty() || found.iter().any(own))
    }

    /// Opens the catalog of one dialect and reads its sources.
    ///
    /// Fails with [`Error::UnknownDialect`] if the dialect is not known and with [`Error::Catalog`] if the agents given
    /// on the command line cannot be read.
    pub fn open(&self, dialect: &str) -> Result<Catalog> {
        let files = Files::new(&self.settings, &self.ancestors)?;
        let sandbox = Sandbox::new(self.loaded.clone(), self.settings.memory_limit, files);
        Catalog::open(sandbox, self.options(dialect))
    }

    fn options(&self, dialect: &str) -> Options {
        let settings = &self.settings;
        Options {
            dialect: dialect.into(),
            project: settings.project.name.clone(),
            ancestors: self.ancestors.iter().map(|place| place.name.clone()).collect(),
            home: settings.home.as_ref().map(|place| place.name.clone()),
            plugins: settings.plugins.iter().map(plugin).collect(),
            directories: settings
                .directories
                .iter()
                .map(|place| place.name.clone())
                .collect(),
            inline: settings.inline.clone(),
            cache_capacity: settings.cache_capacity,
            fail_closed: settings.fail_closed,
            check: settings.check,
        }
    }
}

fn plugin((name, directory): &(String, Place)) -> Plugin {
    Plugin {
        name: name.clone(),
        directory: directory.name.clone(),
    }
}
