//! All dialects and all editions, by name.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::schema::edition::Reader;
use super::{Dialect, Format};
use crate::closest::closest;
use crate::frontmatter::split;
use crate::lines::lines;

/// The dialect of a file in a place that no dialect owns: three quarters of all agent files are written for it.
const FALLBACK: &str = "claude-code";

/// Every dialect, sorted by name.
#[derive(Clone, Debug)]
pub struct Dialects {
    all: Vec<Rc<Dialect>>,
    /// Computed on first use.
    readers: OnceCell<Readers>,
    /// Computed on first use, which is rare.
    editions: OnceCell<Vec<Edition>>,
}

/// A dialect as a release implements it.
#[derive(Clone, Debug)]
struct Edition {
    /// The dialect, with the places where the release looks.
    dialect: Rc<Dialect>,
    reader: Rc<Reader>,
}

/// An unknown dialect.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownDialect {
    /// The closest known name, if one is close.
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
            readers: OnceCell::new(),
            editions: OnceCell::new(),
        }
    }

    /// The same with one dialect changed.
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
            nearest: self.nearest(id).map(Into::into),
        })
    }

    /// The closest name. A wrong release means another release of the same dialect, not the dialect itself.
    fn nearest(&self, id: &str) -> Option<&str> {
        let Some((dialect, _)) = id.split_once('@') else {
            return closest(id, self.all.iter().map(|dialect| &*dialect.id));
        };
        let same = self.readers().iter().filter(|reader| reader.dialect == dialect);
        let newest = self.release(dialect).map(|reader| &*reader.id);
        closest(id, same.map(|reader| &*reader.id))
            .or(newest)
            .or_else(|| closest(id, self.readers().iter().map(|reader| &*reader.id)))
    }

    /// The reader of this edition.
    pub(crate) fn reader(&self, id: &str) -> Option<&Reader> {
        self.edition(id).map(|edition| &*edition.reader)
    }

    /// The release that decides which files of this dialect load: the edition's own, else the newest one.
    pub(crate) fn release(&self, id: &str) -> Option<&Reader> {
        let decides = |reader: &&Rc<Reader>| reader.id == id || reader.dialect == id && reader.decides;
        self.readers().iter().find(decides).map(|reader| &**reader)
    }

    fn readers(&self) -> &Readers {
        self.readers.get_or_init(Readers::embedded)
    }

    fn edition(&self, id: &str) -> Option<&Edition> {
        if !id.contains('@') {
            return None;
        }
        let editions = self.editions.get_or_init(|| self.editions());
        editions.iter().find(|edition| edition.reader.id == id)
    }

    fn editions(&self) -> Vec<Edition> {
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
        self.readers().iter().filter_map(of_dialect).collect()
    }

    /// The dialect that owns the directory of the path, which is relative to the project.
    pub fn owner(&self, path: &str) -> Option<&Rc<Dialect>> {
        self.all.iter().find(|dialect| dialect.owns(path))
    }

    /// The dialect for a file of this path and text, if none is given.
    pub fn of_file(&self, path: &str, text: &str) -> &Rc<Dialect> {
        let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
        let may_be = |owner: &&Rc<Dialect>| owner.format == Format::Markdown || owner.reads(file);
        let claims = |owner: &&Rc<Dialect>| may_be(owner) && self.claims(owner, path, text);
        let owner = self.owner(path).filter(claims);
        owner.unwrap_or_else(|| self.usual())
    }

    /// Whether a file in a directory of a dialect's own is the dialect's. A bare `agents` is too common a name: such a file must also have a
    /// key of this dialect.
    fn claims(&self, dialect: &Dialect, path: &str, text: &str) -> bool {
        dialect.has_name_of_its_own(path) || self.has_telling_key(dialect, text)
    }

    /// Whether a file has a key that only this dialect uses.
    pub(crate) fn has_telling_key(&self, dialect: &Dialect, text: &str) -> bool {
        has_key(text, |key| {
            dialect.key(key).is_some() && self.usual().key(key).is_none()
        })
    }

    fn usual(&self) -> &Rc<Dialect> {
        let usual = self.all.iter().find(|dialect| dialect.id == FALLBACK);
        usual.expect("the fallback is one of the dialects")
    }

    /// Whether this dialect, or the one that most files are written for, knows a key.
    pub fn knows_key(&self, dialect: &Dialect, spelling: &str) -> bool {
        dialect.key(spelling).is_some() || self.usual().key(spelling).is_some()
    }
}

/// Every reader, sorted by name.
#[derive(Clone, Debug)]
pub struct Readers {
    all: Vec<Rc<Reader>>,
}

/// An unknown reader.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownReader {
    /// The closest known name, if one is close.
    pub nearest: Option<String>,
}

impl Readers {
    /// The readers that are built in.
    pub fn embedded() -> Self {
        let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/editions.bin"));
        let all: Vec<Reader> =
            postcard::from_bytes(bytes).expect("the build script wrote it from the same types");
        Self {
            all: all.into_iter().map(Rc::new).collect(),
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Reader>> {
        self.all.iter()
    }

    /// The one of this name.
    pub fn get(&self, id: &str) -> Result<&Rc<Reader>, UnknownReader> {
        let found = self.all.iter().find(|reader| reader.id == id);
        found.ok_or_else(|| UnknownReader {
            nearest: closest(id, self.all.iter().map(|reader| &*reader.id)).map(Into::into),
        })
    }
}

/// Whether a line of the frontmatter starts with such a key.
fn has_key(text: &str, is_meant: impl Fn(&str) -> bool) -> bool {
    let Some(frontmatter) = split(text, 0).frontmatter else {
        return false;
    };
    let yaml = frontmatter.yaml.of(text);
    let mut keys = lines(yaml).filter_map(|line| Some(line.of(yaml).split_once(':')?.0));
    keys.any(is_meant)
}
