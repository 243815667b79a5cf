//! What is asked of a build, and what comes of it.

use alloc::string::String;
use alloc::vec::Vec;

use super::output::Compiled;
use crate::diagnostic::{Diagnostic, Place};

/// What to compile, and to what.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// Their project: the directory of the project, or one of those above it; none for the directory.
    pub project: Option<String>,
    /// The folder of the sources, below their project.
    pub directory: String,
    /// Their dialect; none for the owner of the folder.
    pub dialect: Option<String>,
    /// The dialects to compile to.
    pub targets: Vec<String>,
    /// Named sets of tools.
    pub sets: Vec<(String, Vec<String>)>,
    /// Whether tools and limits may be lost in another dialect.
    pub allow_loss: bool,
}

/// A source, its results, and where their fields come from.
#[derive(Debug)]
pub struct Composed {
    /// The source.
    pub path: String,
    /// For each field of the result, where it is stated; `prompt` is the prompt.
    pub fields: Vec<(String, Vec<Place>)>,
    /// A result for each target; none if the source has errors.
    pub outputs: Vec<Compiled>,
}

/// A compiled file that no source compiles to.
#[derive(Debug)]
pub struct Leftover {
    /// The file.
    pub path: String,
    /// The source that it names, relative to the project.
    pub source: String,
    /// Its contents.
    pub contents: Vec<u8>,
    /// Whether it is as it was compiled.
    pub is_intact: bool,
}

/// What the sources of a project compile to.
#[derive(Debug, Default)]
pub struct Composition {
    /// The sources, sorted by path.
    pub sources: Vec<Composed>,
    /// Compiled files that no source compiles to, sorted by path.
    pub leftovers: Vec<Leftover>,
    /// Findings in sources and their parents, sorted by place.
    pub findings: Vec<Diagnostic>,
    /// Those that comments suppress, in the same order.
    pub suppressed: Vec<Diagnostic>,
}
