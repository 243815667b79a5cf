//! What runs a case: the core itself, the component under wasmtime and in other runtimes, and the command line.

pub mod cli;
pub mod component;
mod machine;
pub mod native;
pub mod remote;

use std::fmt;
use std::path::Path;

use callsheet::catalogs::{self, Change, Counters, Entry, Explanation, Grants, Location, Visited};
use callsheet::conversation::ToolSpec;
use callsheet::delegation::{SessionError, Settings, Task};
use callsheet::documents::{
    Carried, Converted, Dialect, Draft, Found, KeyChange, Parsed, Reader, Seen, WriteError,
};
use callsheet::projects::{
    Build, Completions, Composition, Graph, Inventory, Part, Plugin, Renaming, Report, Request, Scope,
    Sources, Spot,
};
use callsheet::types::{Agent, Diagnostic, Edit, Kind};
use serde::Deserialize;

pub use self::machine::Machine;
use crate::commands;

/// One way to run a case.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The core, linked into the tests.
    Native,
    /// The component, through the host library.
    Component,
    /// The program.
    Cli,
    /// The component in Node, through a driver.
    Node,
    /// The component in a page of Chromium, through a driver.
    Browser,
    /// The component in workerd, through a driver.
    Workerd,
    /// The component in Python's wasmtime, through a driver.
    Python,
}

impl Backend {
    /// The backends that use a driver.
    pub const REMOTE: [Self; 4] = [Self::Node, Self::Browser, Self::Workerd, Self::Python];

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Native, Self::Component, Self::Cli]
            .into_iter()
            .chain(Self::REMOTE)
    }

    /// Whether it is available here.
    pub fn is_here(self) -> bool {
        !Self::REMOTE.contains(&self) || remote::driver::program(self).is_some()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Native => "native",
            Self::Component => "component",
            Self::Cli => "cli",
            Self::Node => "node",
            Self::Browser => "browser",
            Self::Workerd => "workerd",
            Self::Python => "python",
        })
    }
}

impl Backend {
    /// The backends within this process.
    pub fn open(self, settings: &commands::Settings) -> Answer<Box<dyn Runtime>> {
        Ok(match self {
            Self::Native => Box::new(native::Native::open(settings)?),
            Self::Component => Box::new(component::open(settings)?),
            Self::Cli => unreachable!("it is a separate process"),
            Self::Node | Self::Browser | Self::Workerd | Self::Python => {
                Box::new(remote::Remote::open(settings, self)?)
            }
        })
    }
}

/// An answer, or the reason for its absence. Problems of agent files are never a refusal.
pub type Answer<T> = Result<T, Refusal>;

/// A call that could not be answered, as the contract and the host define.
#[derive(Debug)]
pub struct Refusal(pub String);

/// A file of the project, as if this dialect owned it.
pub fn of_dialect(path: &str, dialect: &str) -> Found {
    Found {
        path: path.to_owned(),
        dialect: Some(dialect.to_owned()),
        level: None,
    }
}

/// The calls of the contract.
pub trait Runtime {
    /// Every dialect.
    fn dialects(&mut self) -> Answer<Vec<Dialect>>;
    /// The dialects in use.
    fn dialects_in_use(&mut self) -> Answer<Vec<String>>;
    /// The problems of the project, or of some of its files.
    fn check(&mut self, request: &Request, build: Option<&Build>) -> Answer<Report>;
    /// What the files of the project name.
    fn graph(&mut self, scope: &Scope, part: Part) -> Answer<Graph>;
    /// What the project has that acts.
    fn inventory(&mut self) -> Answer<Inventory>;
    /// What another name of a file's definition changes, or why it is refused.
    fn rename(&mut self, path: &str, to: &str) -> Answer<Result<Renaming, String>>;
    /// What the sources of the project compile to, or why they cannot be compiled.
    fn compose(&mut self, build: &Build) -> Answer<Result<Composition, String>>;
    /// Where a dialect looks for agents.
    fn locations(&mut self, dialect: &str) -> Answer<Vec<Location>>;
    /// The agent files at or below a path that the user named.
    fn discover(&mut self, path: &str) -> Answer<(Vec<Found>, Vec<Diagnostic>)>;
    /// The contents of a file.
    fn read(&mut self, path: &str) -> Answer<Vec<u8>>;
    /// The content of one file.
    fn parse(&mut self, file: &Found, contents: &[u8]) -> Answer<Parsed>;
    /// What can be written at a place of a file.
    fn complete(&mut self, spot: &Spot) -> Answer<Completions>;
    /// The text of a new file, or why it is refused.
    fn render(&mut self, draft: &Draft, dialect: &str) -> Answer<Result<String, WriteError>>;
    /// The edits that make these changes, or why they are refused.
    fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
        prompt: Option<&str>,
    ) -> Answer<Result<Vec<Edit>, WriteError>>;
    /// Every reader.
    fn readers(&mut self) -> Answer<Vec<Reader>>;
    /// The result of every reader for a file.
    fn readings(&mut self, path: &str, contents: &[u8]) -> Answer<Vec<Seen>>;
    /// A file in another dialect, or what became of each field; nothing if the file does not load.
    fn convert(
        &mut self,
        path: &str,
        contents: &[u8],
        dialect: Option<&str>,
        to: &str,
        allow_loss: bool,
    ) -> Answer<Result<Converted, Option<Vec<Carried>>>>;
    /// A catalog of this dialect.
    fn open(&self, dialect: &str) -> Answer<Box<dyn Catalog>>;
}

/// The catalog calls of the contract, under the same names.
#[allow(missing_docs, reason = "wit/catalog.wit documents them")]
pub trait Catalog {
    fn refresh(&mut self) -> Answer<Vec<Change>>;
    fn visited(&mut self) -> Answer<Vec<Visited>>;
    fn names(&mut self) -> Answer<Vec<String>>;
    fn entries(&mut self, all: bool) -> Answer<Vec<Entry>>;
    fn get(&mut self, name: &str) -> Answer<Option<Agent>>;
    fn search(&mut self, query: &str, limit: u32) -> Answer<Vec<Entry>>;
    fn explain(&mut self, name: &str) -> Answer<Explanation>;
    fn grants(&mut self, name: &str, offered: &[String]) -> Answer<Option<Grants>>;
    fn diagnostics(&mut self) -> Answer<Vec<Diagnostic>>;
    fn suppressed(&mut self) -> Answer<Vec<Diagnostic>>;
    fn register(&mut self, name: &str, contents: &str) -> Answer<()>;
    fn counters(&mut self) -> Answer<Counters>;
    fn session(
        &mut self,
        task: &Task,
        tools: &[ToolSpec],
        settings: &Settings,
    ) -> Answer<Result<Box<dyn Machine>, SessionError>>;
    fn restore(&mut self, snapshot: &[u8]) -> Answer<Result<Box<dyn Machine>, SessionError>>;
}

/// The options of a catalog, as the host passes them.
fn options(dialect: &str) -> catalogs::Options {
    catalogs::Options {
        dialect: dialect.to_owned(),
        kind: Kind::Agent,
        cache_capacity: 1024,
        check: true,
    }
}

/// The sources of the project, as the host passes them.
fn sources(settings: &commands::Settings, ancestors: &[String]) -> Sources {
    let settings = settings.clone();
    let plugins = settings.plugins.into_iter();
    Sources {
        directory: settings.project,
        ancestors: ancestors.to_vec(),
        home: Some(settings.home),
        variables: Vec::new(),
        plugins: plugins
            .map(|(name, directory)| Plugin { name, directory })
            .collect(),
        directories: settings.directories,
        inline: settings.inline,
        fail_closed: settings.fail_closed,
    }
}

/// The directories above the project up to the root of its repository, nearest first.
fn ancestors(project: &str) -> Vec<String> {
    let real = Path::new(project).canonicalize().unwrap_or_default();
    let depth = real
        .ancestors()
        .position(|directory| directory.join(".git").exists());
    let mut place = project.to_owned();
    let mut above = |_| {
        place = match place.rsplit_once('/') {
            Some((above, last)) if last != ".." => above.to_owned(),
            Some(_) => format!("{place}/.."),
            None if place == "." => "..".to_owned(),
            None => ".".to_owned(),
        };
        place.clone()
    };
    (0..depth.unwrap_or(0)).map(&mut above).collect()
}
