//! The active agents of one dialect.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::bindings::exports::callsheet::agents::catalogs::{
    Card, Change, Counters, Entry, Explanation, Grants, GuestCatalog, Options, Visited,
};
use crate::bindings::exports::callsheet::agents::types::{Agent, Diagnostic};
use crate::conversation::ToolSpec;
use crate::delegation::{Outcome, Settings, Task};
use crate::lent::State;
use crate::lent::{Lent, Models, Tools};
use crate::projects::{Report, Request, Sources};
use crate::sandbox::{Sandbox, Shared, lock};
use crate::{Error, Result, Session};

/// The active agents of one dialect, kept until dropped.
///
/// Every call fails with [`Error::Trap`] if the component fails. The next call opens a new catalog, without the file that was being read.
pub struct Catalog {
    sandbox: Shared,
    sources: Sources,
    options: Options,
    registered: Vec<(String, String)>,
    /// Reserved tools by agent.
    reserved: Vec<(String, String)>,
    /// The component's catalog and its instance; none before it is opened.
    handle: Option<(ResourceAny, u64)>,
}

impl Catalog {
    pub(crate) fn open(sandbox: Sandbox, sources: Sources, options: Options) -> Result<Self> {
        let mut catalog = Self {
            sandbox: Arc::new(Mutex::new(sandbox)),
            sources,
            options,
            registered: Vec::new(),
            reserved: Vec::new(),
            handle: None,
        };
        catalog.grant_locations()?;
        catalog.handle()?;
        Ok(catalog)
    }

    /// The dialect.
    pub fn dialect(&self) -> &str {
        &self.options.dialect
    }

    /// Reads sources again where they changed, and returns the differences, sorted by name.
    pub fn refresh(&mut self) -> Result<Vec<Change>> {
        self.call("refreshing the catalog", |catalog, store, handle| {
            catalog.call_refresh(store, handle)
        })
    }

    /// The locations with what was found there, the lowest precedence first.
    pub fn visited(&mut self) -> Result<Vec<Visited>> {
        self.call("listing the locations", |catalog, store, handle| {
            catalog.call_visited(store, handle)
        })
    }

    /// The active names, sorted.
    pub fn names(&mut self) -> Result<Vec<String>> {
        self.call("listing the names", |catalog, store, handle| {
            catalog.call_names(store, handle)
        })
    }

    /// The active definitions, sorted by name; with `all`, all others after the active one of their name.
    pub fn entries(&mut self, all: bool) -> Result<Vec<Entry>> {
        self.call("listing the agents", |catalog, store, handle| {
            catalog.call_entries(store, handle, all)
        })
    }

    /// The active definition of this name.
    pub fn get(&mut self, name: &str) -> Result<Option<Agent>> {
        self.call("looking up an agent", |catalog, store, handle| {
            catalog.call_get(store, handle, name)
        })
    }

    /// The active definitions whose name or description matches the query, the best first. Tolerates typos.
    pub fn search(&mut self, query: &str, limit: u32) -> Result<Vec<Entry>> {
        self.call("searching the agents", |catalog, store, handle| {
            catalog.call_search(store, handle, query, limit)
        })
    }

    /// Every definition of this name, and why one of them wins.
    pub fn explain(&mut self, name: &str) -> Result<Explanation> {
        self.call("explaining a name", |catalog, store, handle| {
            catalog.call_explain(store, handle, name)
        })
    }

    /// The offered tools that the agent of this name gets. None if it is not active.
    pub fn grants(&mut self, name: &str, offered: &[String]) -> Result<Option<Grants>> {
        self.call("filtering tools", |catalog, store, handle| {
            catalog.call_grants(store, handle, name, offered)
        })
    }

    /// What others may know of the active agents with these names or, without names, of all in the project's own folders. Sorted by name.
    pub fn cards(&mut self, names: &[String]) -> Result<Vec<Card>> {
        self.call("describing agents", |catalog, store, handle| {
            catalog.call_cards(store, handle, names)
        })
    }

    /// All findings in the files and between them, sorted by path and place.
    pub fn diagnostics(&mut self) -> Result<Vec<Diagnostic>> {
        self.call("listing the findings", |catalog, store, handle| {
            catalog.call_diagnostics(store, handle)
        })
    }

    /// All suppressed findings, sorted in the same way.
    pub fn suppressed(&mut self) -> Result<Vec<Diagnostic>> {
        self.call("listing what is suppressed", |catalog, store, handle| {
            catalog.call_suppressed(store, handle)
        })
    }

    /// Checks the catalog's places in its dialect, with the current files.
    pub fn check(&mut self) -> Result<Report> {
        let request = Request {
            dialect: Some(self.options.dialect.clone()),
            targets: Vec::new(),
            paths: Vec::new(),
        };
        let report =
            lock(&self.sandbox).ask("checking the catalog", &self.sources, |project, store, handle| {
                project.call_check(store, handle, &request, None)
            })?;
        report.map_err(|error| Error::catalog(error, &self.options.dialect))
    }

    /// Adds a definition without a file, written as an agent file of the catalog's dialect. Takes effect at once.
    ///
    /// Fails with [`Error::Catalog`] if the name is registered already or the dialect would not load the definition.
    pub fn register(&mut self, name: &str, contents: &str) -> Result<()> {
        self.call("registering an agent", |catalog, store, handle| {
            catalog.call_register(store, handle, name, contents)
        })?
        .map_err(Error::Catalog)?;
        self.registered.push((name.into(), contents.into()));
        Ok(())
    }

    /// Reserves a tool for the agent, such as one of a server that its file configures: in later sessions, only agents for which it is
    /// reserved get it, and only if their lists allow it.
    pub fn reserve(&mut self, name: &str, tool: &str) -> Result<()> {
        self.call("reserving a tool", |catalog, store, handle| {
            catalog.call_reserve(store, handle, name, tool)
        })?;
        self.reserved.push((name.into(), tool.into()));
        Ok(())
    }

    /// The directories of the definitions' files, including inactive ones.
    pub(crate) fn system_paths(&mut self) -> Result<Vec<PathBuf>> {
        let names = self
            .entries(true)?
            .into_iter()
            .filter_map(|entry| entry.origin.path);
        let mut sandbox = lock(&self.sandbox);
        let files = sandbox.files();
        Ok(names
            .filter_map(|name| Some(files.system_path(&name)?.1))
            .collect())
    }

    /// The catalog's counters.
    pub fn counters(&mut self) -> Result<Counters> {
        self.call("counting", |catalog, store, handle| {
            catalog.call_counters(store, handle)
        })
    }

    /// Starts a session. `tools` are the host's tools.
    ///
    /// Fails with [`Error::Session`] if the agent is not active.
    pub fn session(&mut self, task: &Task, tools: &[ToolSpec], settings: &Settings) -> Result<Session> {
        let handle = self.handle()?;
        self.grant_imports(settings)?;
        let opened = lock(&self.sandbox).call("opening a session", |world, store| {
            let session = world.callsheet_agents_delegation().session();
            session.call_open(store, handle, task, tools, settings)
        })?;
        Ok(Session::new(&self.sandbox, opened.map_err(Error::Session)?))
    }

    /// Starts a session whose first agent has no instructions of its own, to compare with one of [`session`](Self::session).
    ///
    /// Fails as that does.
    pub fn baseline(&mut self, task: &Task, tools: &[ToolSpec], settings: &Settings) -> Result<Session> {
        let handle = self.handle()?;
        self.grant_imports(settings)?;
        let opened = lock(&self.sandbox).call("opening a session", |world, store| {
            let session = world.callsheet_agents_delegation().session();
            session.call_open_baseline(store, handle, task, tools, settings)
        })?;
        Ok(Session::new(&self.sandbox, opened.map_err(Error::Session)?))
    }

    /// Restores a session from a snapshot, of this or another host. It keeps the definitions it started with.
    ///
    /// Fails with [`Error::Session`] if the bytes are not a snapshot of this version.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<Session> {
        let opened = lock(&self.sandbox).call("restoring a session", |world, store| {
            let session = world.callsheet_agents_delegation().session();
            session.call_restore(store, snapshot)
        })?;
        Ok(Session::new(&self.sandbox, opened.map_err(Error::Session)?))
    }

    /// Runs a whole session, one step after the other, and blocks until its end. It has no clock.
    ///
    /// Fails as [`session`](Self::session) does.
    pub fn run(
        &mut self,
        task: &Task,
        settings: &Settings,
        models: Arc<dyn Models>,
        tools: Arc<dyn Tools>,
    ) -> Result<Outcome> {
        let handle = self.handle()?;
        let specs = tools.specs();
        let mut sandbox = lock(&self.sandbox);
        sandbox.lend(Lent {
            models: Some(models),
            tools: Some(tools),
        });
        let ended = sandbox.call("running a session", |world, store| {
            let run = world.callsheet_agents_run();
            run.call_run(store, handle, task, &specs, settings)
        });
        sandbox.lend(Lent::default());
        ended?.map_err(Error::Session)
    }

    fn call<T>(
        &mut self,
        doing: &str,
        call: impl FnOnce(GuestCatalog<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<T>,
    ) -> Result<T> {
        let handle = self.handle()?;
        lock(&self.sandbox).call(doing, |world, store| {
            call(world.callsheet_agents_catalogs().catalog(), store, handle)
        })
    }

    /// The component's catalog, opened again after a trap.
    fn handle(&mut self) -> Result<ResourceAny> {
        let mut sandbox = lock(&self.sandbox);
        if let Some((handle, instance)) = self.handle
            && instance == sandbox.instance()
        {
            return Ok(handle);
        }
        let options = &self.options;
        let doing = format!("opening the catalog of {}", options.dialect);
        let opened = sandbox.call(&doing, |world, store| {
            let project = world.callsheet_agents_projects().project();
            let project = project.call_open(&mut *store, &self.sources)?;
            let catalog = world.callsheet_agents_catalogs().catalog();
            let opened = catalog.call_open(&mut *store, project, options)?;
            project.resource_drop(store)?;
            Ok(opened)
        })?;
        let handle = opened.map_err(|error| Error::catalog(error, &self.options.dialect))?;
        for (name, contents) in &self.registered {
            sandbox
                .call("registering an agent again", |world, store| {
                    world
                        .callsheet_agents_catalogs()
                        .catalog()
                        .call_register(store, handle, name, contents)
                })?
                .map_err(Error::Catalog)?;
        }
        for (name, tool) in &self.reserved {
            sandbox.call("reserving a tool again", |world, store| {
                world
                    .callsheet_agents_catalogs()
                    .catalog()
                    .call_reserve(store, handle, name, tool)
            })?;
        }
        self.handle = Some((handle, sandbox.instance()));
        Ok(handle)
    }

    /// Instructions import files from anywhere in the project.
    fn grant_imports(&self, settings: &Settings) -> Result<()> {
        let project = &self.sources.directory;
        match settings.surroundings {
            Some(_) => {
                let granted = lock(&self.sandbox).files().grant_explicitly(project);
                granted.map_err(|source| Error::path(project, source))
            }
            None => Ok(()),
        }
    }

    /// Grants the component the places that the dialect reads, and no others.
    fn grant_locations(&mut self) -> Result<()> {
        let Options {
            dialect, kind, check, ..
        } = &self.options;
        let mut sandbox = lock(&self.sandbox);
        let (locations, referred) =
            sandbox.ask("naming the locations", &self.sources, |project, store, handle| {
                let locations = project.call_locations(&mut *store, handle, dialect, *kind)?;
                Ok((
                    locations,
                    project.call_referred(store, handle, dialect, *kind, *check)?,
                ))
            })?;
        let locations = locations.map_err(|error| Error::catalog(error, dialect))?;
        let referred = referred.map_err(|error| Error::catalog(error, dialect))?;
        let files = sandbox.files();
        for location in &locations {
            files.grant(location);
        }
        for path in &referred {
            files.grant_referred(path);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Callsheet;

    const AGENT: &str = "---\nname: one\ndescription: Does one thing\n---\nDo it.\n";

    #[test]
    fn registered_agents_survive_a_trap() {
        let mut catalog = Callsheet::builder()
            .without_home()
            .build()
            .unwrap()
            .open("claude-code")
            .unwrap();
        catalog.register("one", AGENT).unwrap();
        let trap = wasmtime::Trap::UnreachableCodeReached;
        catalog
            .call("trying", |_, _, _| Err::<(), _>(trap.into()))
            .unwrap_err();
        assert!(catalog.get("one").unwrap().is_some());
    }
}
