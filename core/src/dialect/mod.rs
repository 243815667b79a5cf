//! Dialects: the rules of each product, as data.

mod schema;

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

pub use schema::{
    BodyRule, BuiltIn, Clash, CommandPatterns, Condition, Delegation, Dialect, Extent, FileRule, Form, Key,
    Level, ModelAbsent, NoFrontmatter, PromptPlace, Shape, Source, Specifiers, Tolerance, ToolDefaults,
    ToolShape, ToolText, Verdict,
};

use crate::closest::closest;
use crate::reader::{Reader, Readers};

/// The dialect of a file in a place that no dialect owns: three quarters of all agent files are written for it.
const FALLBACK: &str = "claude-code";

/// Every dialect, sorted by name.
#[derive(Clone, Debug)]
pub struct Dialects {
    all: Vec<Rc<Dialect>>,
    /// Made when the first is asked for, which is seldom.
    editions: OnceCell<Vec<Edition>>,
}

/// A dialect as a release really has it.
#[derive(Clone, Debug)]
struct Edition {
    /// The dialect, with the places where the release looks.
    dialect: Rc<Dialect>,
    reader: Rc<Reader>,
}

/// There is no dialect of this name.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownDialect {
    /// The nearest one, if one is near.
    pub nearest: Option<String>,
}

impl Dialects {
    /// The dialects that are built in.
    pub fn embedded() -> Self {
        let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/dialects.bin"));
        let all: Vec<Dialect> =
            postcard::from_bytes(bytes).expect("the build script wrote it from the same types");
        Self {
            all: all.into_iter().map(Rc::new).collect(),
            editions: OnceCell::new(),
        }
    }

    /// The same with one of them changed.
    #[cfg(test)]
    pub(crate) fn with(mut self, id: &str, change: impl FnOnce(&mut Dialect)) -> Self {
        let dialect = self.all.iter_mut().find(|dialect| dialect.id == id);
        change(Rc::make_mut(dialect.expect("there is such a dialect")));
        self
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Dialect>> {
        self.all.iter()
    }

    /// The one of this name, or the edition: `kode@2.0.2`.
    pub fn get(&self, id: &str) -> Result<&Rc<Dialect>, UnknownDialect> {
        let found = self.all.iter().find(|dialect| dialect.id == id);
        let edition = || self.edition(id).map(|edition| &edition.dialect);
        found.or_else(edition).ok_or_else(|| UnknownDialect {
            nearest: closest(id, self.all.iter().map(|dialect| &*dialect.id)).map(Into::into),
        })
    }

    /// The reader whose edition this is.
    pub(crate) fn reader(&self, id: &str) -> Option<&Reader> {
        self.edition(id).map(|edition| &*edition.reader)
    }

    fn edition(&self, id: &str) -> Option<&Edition> {
        if !id.contains('@') {
            return None;
        }
        let editions = self.editions.get_or_init(|| self.editions());
        editions.iter().find(|edition| edition.reader.id == id)
    }

    fn editions(&self) -> Vec<Edition> {
        let readers = Readers::embedded();
        let of_dialect = |reader: &Rc<Reader>| {
            let dialect = self.all.iter().find(|dialect| dialect.id == reader.dialect)?;
            let mut dialect = Dialect::clone(dialect);
            dialect.id.clone_from(&reader.id);
            dialect.evidence.clone_from(&reader.evidence);
            if let Some(rule) = &reader.catalog {
                dialect.clash = rule.clash;
                dialect.files = rule.files.clone();
                dialect.sources.clone_from(&rule.sources);
                if !rule.built_ins.is_empty() {
                    dialect.built_ins.clone_from(&rule.built_ins);
                }
            }
            Some(Edition {
                dialect: Rc::new(dialect),
                reader: Rc::clone(reader),
            })
        };
        readers.iter().filter_map(of_dialect).collect()
    }

    /// The one that owns the directory that the path leads through, the path being seen from the project.
    pub fn owner(&self, path: &str) -> Option<&Rc<Dialect>> {
        self.all.iter().find(|dialect| dialect.owns(path))
    }

    /// The one that reads a file of this path if nobody says which.
    pub fn of_path(&self, path: &str) -> &Rc<Dialect> {
        let fallback = || self.all.iter().find(|dialect| dialect.id == FALLBACK);
        self.owner(path)
            .or_else(fallback)
            .expect("the fallback is one of the dialects")
    }

    /// Whether any dialect knows this key.
    pub fn knows_key(&self, spelling: &str) -> bool {
        self.all.iter().any(|dialect| dialect.key(spelling).is_some())
    }
}

impl Key {
    /// Whether a file without it is not loaded.
    pub fn is_required(&self) -> bool {
        self.missing == Verdict::Dropped
    }

    /// Whether it takes text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.shape, Shape::Text | Shape::Scalar)
    }

    /// Whether it takes sentences, in which any character may be meant as itself.
    pub(crate) fn is_prose(&self) -> bool {
        matches!(
            &*self.field,
            "description" | "initial-prompt" | "context" | "when-to-use"
        )
    }

    /// The spelling for new files.
    pub fn written(&self) -> &str {
        self.write_as.as_deref().unwrap_or(&self.spellings[0])
    }
}

impl Source {
    /// The directory for people, `~` being the home directory.
    pub fn directory_words(&self) -> String {
        match self.level {
            Level::User => alloc::format!("~/{}", self.directory),
            _ => self.directory.clone(),
        }
    }
}

impl Dialect {
    /// The rule for a key as spelled.
    pub fn key(&self, spelling: &str) -> Option<&Key> {
        self.keys
            .iter()
            .find(|key| key.spellings.iter().any(|known| known == spelling))
    }

    /// Whether a file of this name may be an agent.
    pub fn reads(&self, file: &str) -> bool {
        let rule = &self.files;
        let skipped = rule.skip.iter().any(|name| name == file) || !rule.hidden && file.starts_with('.');
        !skipped && self.extension_rank(file).is_some()
    }

    /// How strong the file's ending is among equal stems: 0 is the strongest.
    pub fn extension_rank(&self, file: &str) -> Option<usize> {
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.files.extensions.iter().position(|known| known == extension)
    }

    /// Whether it looks for agents where this file lies, the path being seen from the project.
    pub fn looks_at(&self, path: &str) -> bool {
        self.has_source(path, |source| !source.directory.is_empty())
    }

    fn owns(&self, path: &str) -> bool {
        self.has_source(path, |source| source.owned)
    }

    /// Whether one of its sources that are `meant` leads to this file.
    fn has_source(&self, path: &str, meant: impl Fn(&Source) -> bool) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let sources = self.sources.iter().filter(|source| meant(source));
        sources.into_iter().any(|source| {
            let directory = &*source.directory;
            let below = |at: usize| path[at + directory.len()..].starts_with('/');
            if directory.starts_with('.') {
                let mut places = path.match_indices(directory);
                places.any(|(at, _)| (at == 0 || path[..at].ends_with('/')) && below(at))
            } else {
                // A bare `agents` is too common a name to mean anything further down.
                path.starts_with(directory) && below(0)
            }
        })
    }
}
