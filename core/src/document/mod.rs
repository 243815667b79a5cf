//! One file: bytes to a definition, what becomes of it, and what is wrong with it.

mod draft;
mod fences;
mod findings;
mod inline;
mod loose_text;
mod overlay;
mod read;
mod readings;
mod release;
mod syntax;
mod toml;

pub use inline::read_inline;
pub(crate) use read::read_with_values;
pub use read::{Parsed, fix, parse, read};
pub use readings::{Fate, Seen, readings};

use alloc::vec::Vec;

use crate::definition::Definition;
use crate::diagnostic::{self, Anchor, Diagnostic, Finding, Placer};
use crate::ignore::Ignore;
use crate::mentions::Mentions;
use crate::source::Source;
use crate::verdict::Outcome;
use crate::yaml::Reading;

/// What one file says, as one dialect reads it.
#[derive(Debug)]
pub struct Document {
    /// Where its name stands.
    pub anchor: Anchor,
    /// How the frontmatter had to be read.
    pub reading: Reading,
    /// What becomes of it.
    pub outcome: Outcome,
    /// The definition, as far as it could be made out.
    pub definition: Definition,
    /// What is wrong, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// What comments in the file want left, sorted by place.
    pub suppressed: Vec<Diagnostic>,
    /// What comments in the file want left of what is found between files.
    pub(crate) ignores: Vec<Ignore>,
    /// Whom and what it names, where it is held against every rule.
    pub(crate) mentions: Mentions,
}

/// What stands for the path of agents given on the command line.
pub const INLINE_PATH: &str = "--agents";

fn place(path: &str, source: &Source<'_>, findings: Vec<Finding>) -> Vec<Diagnostic> {
    if findings.is_empty() {
        return Vec::new();
    }
    let placer = Placer::new(path, source);
    let diagnostics = findings.into_iter().map(|finding| placer.diagnostic(finding));
    diagnostic::sorted(diagnostics.collect())
}
