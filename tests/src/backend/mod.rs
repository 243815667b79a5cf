//! Who runs a case: the core itself, the component under wasmtime, and the command line.

pub mod cli;
pub mod component;
pub mod native;

use std::fmt;

use callsheet::catalogs::{Change, Counters, Entry, Explanation, Grants, Location, Visited};
use callsheet::documents::{
    Carried, Converted, Dialect, Draft, Found, KeyChange, Parsed, Reader, Seen, WriteError,
};
use callsheet::types::{Agent, Diagnostic, Edit};
use serde::Deserialize;

/// One way to run a case.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The core, linked into the tests.
    Native,
    /// The component, by the host library.
    Component,
    /// The program that people run.
    Cli,
}

impl fmt::Display for Backend {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Native => "native",
            Self::Component => "component",
            Self::Cli => "cli",
        })
    }
}

/// An answer, or why there is none. What is wrong with agent files is never a refusal.
pub type Answer<T> = Result<T, Refusal>;

/// A call that could not be answered, as the contract and the host foresee.
#[derive(Debug)]
pub struct Refusal(pub String);

/// The calls of the contract.
pub trait Runtime {
    /// Every dialect.
    fn dialects(&mut self) -> Answer<Vec<Dialect>>;
    /// Those of which a directory of their own is there.
    fn dialects_in_use(&mut self) -> Answer<Vec<String>>;
    /// Where a dialect looks.
    fn locations(&mut self, dialect: &str) -> Answer<Vec<Location>>;
    /// The agent files at or below a path that the user named.
    fn discover(&mut self, path: &str) -> Answer<(Vec<Found>, Vec<Diagnostic>)>;
    /// The contents of a file.
    fn read(&mut self, path: &str) -> Answer<Vec<u8>>;
    /// What one file says.
    fn parse(&mut self, path: &str, contents: &[u8], dialect: Option<&str>) -> Answer<Parsed>;
    /// The text of a new file, or why there can be none.
    fn render(&mut self, draft: &Draft, dialect: &str) -> Answer<Result<String, WriteError>>;
    /// The edits that make these changes, or why they cannot be made.
    fn revise(
        &mut self,
        contents: &[u8],
        dialect: &str,
        changes: &[KeyChange],
        prompt: Option<&str>,
    ) -> Answer<Result<Vec<Edit>, WriteError>>;
    /// Every reader.
    fn readers(&mut self) -> Answer<Vec<Reader>>;
    /// What every reader makes of a file.
    fn readings(&mut self, path: &str, contents: &[u8]) -> Answer<Vec<Seen>>;
    /// A file in another dialect. Else what became of each field, or nothing where the file does not load.
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

/// The calls of the contract's catalog, by the same names.
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
}
