//! One file: bytes to a definition, whether it loads, and its findings.

mod annotations;
mod completions;
mod draft;
mod fences;
mod findings;
mod inline;
mod loose_text;
mod overlay;
mod read;
mod readings;
mod release;
mod suppress;
mod syntax;
mod toml;

pub use annotations::{Annotations, Hint, Token, TokenKind, annotations};
pub use completions::{Completion, CompletionKind, Completions, Named, completions};
pub use inline::read_inline;
pub(crate) use inline::read_settings;
pub use read::{Parsed, fix, parse, read};
pub(crate) use read::{read_alone, read_with_values};
pub use readings::{Fate, Seen, readings};
pub use suppress::suppress;

use alloc::string::String;
use alloc::vec::Vec;

use crate::definition::Definition;
use crate::diagnostic::{self, Anchor, Diagnostic, Finding, Placer};
use crate::dialect::{Dialect, Dialects};
use crate::ignore::Ignore;
use crate::mentions::Mentions;
use crate::reader;
use crate::source::Source;
use crate::verdict::Outcome;
use crate::yaml::Reading;

/// One file as one dialect reads it.
#[derive(Debug)]
pub struct Document {
    /// Where its name is.
    pub anchor: Anchor,
    /// How the frontmatter had to be read.
    pub reading: Reading,
    /// Its outcome.
    pub outcome: Outcome,
    /// The definition, as far as it could be read.
    pub definition: Definition,
    /// Whether the dialect ignores its fields, because the frontmatter is not valid.
    pub ignores_fields: bool,
    /// Findings, sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// Findings that comments suppress, sorted by place.
    pub suppressed: Vec<Diagnostic>,
    /// Comments that suppress findings between files.
    pub(crate) ignores: Vec<Ignore>,
    /// The agents, skills and servers it names, if it is checked by every rule.
    pub(crate) mentions: Mentions,
}

impl Document {
    /// Leaves the definition that is loaded.
    pub(crate) fn forget_ignored(
        &mut self,
        path: &str,
        bytes: &[u8],
        dialect: &Dialect,
        dialects: &Dialects,
    ) {
        if !self.ignores_fields {
            return;
        }
        self.definition.forget_fields(dialect.stem(path).into_owned());
        // Frontmatter that a release does not read may be a part of its prompt.
        let release = dialects.release(dialect).filter(|_| !dialect.unmeasured);
        if let Some(Ok(reading)) = release.map(|release| reader::read(path, bytes, release)) {
            self.definition.system_prompt = String::from_utf8_lossy(&reading.agent.prompt).into_owned();
        }
    }
}

/// The path that agents given on the command line are reported under.
pub const INLINE_PATH: &str = "--agents";

fn place(path: &str, source: &Source<'_>, findings: Vec<Finding>) -> Vec<Diagnostic> {
    if findings.is_empty() {
        return Vec::new();
    }
    let placer = Placer::new(path, source);
    let diagnostics = findings.into_iter().map(|finding| placer.diagnostic(finding));
    diagnostic::sorted(diagnostics.collect())
}
