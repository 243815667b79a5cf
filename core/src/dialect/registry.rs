//! All dialects and all editions, by name.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

use callsheet_schema::edition::Reader;

use super::{Dialect, Format, Kind, KindRules, Tolerance};
use crate::closest::closest;
use crate::frontmatter::split;
use crate::lines::lines;
use crate::places::file_name;

/// The dialect of a file in a place that no dialect owns: three quarters of all agent files are written for it.
const FALLBACK: &str = "claude-code";

/// The dialect of a skill in a place that no dialect owns.
const OPEN_SKILLS: &str = "agent-skills";

/// Every dialect, sorted by name.
#[derive(Clone, Debug)]
pub struct Dialects {
    all: Vec<Rc<Dialect>>,
    /// Their rules for skills and commands. Computed on first use.
    others: OnceCell<Vec<Rc<Dialect>>>,
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
            others: OnceCell::new(),
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

    /// All of them, as they read agents.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Dialect>> {
        self.all.iter()
    }

    /// Whether the product of this dialect reads the plugins of a project.
    pub(crate) fn has_plugins(&self, id: &str) -> bool {
        let mut of_product = self.iter().filter(|dialect| dialect.id == id);
        of_product.any(|dialect| dialect.plugin_source.is_some())
    }

    /// All that read files of this kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Rc<Dialect>> {
        self.every().filter(move |dialect| dialect.kind == kind)
    }

    /// All of them, for each kind of file that they read.
    pub(crate) fn every(&self) -> impl Iterator<Item = &Rc<Dialect>> {
        self.all.iter().chain(self.others())
    }

    fn others(&self) -> &[Rc<Dialect>] {
        self.others.get_or_init(|| {
            let bytes = include_bytes!(concat!(env!("OUT_DIR"), "/kinds.bin"));
            let rules: Vec<KindRules> =
                postcard::from_bytes(bytes).expect("the build script wrote it from the same types");
            let with_base = |rules: KindRules| {
                let base = self.all.iter().find(|dialect| dialect.id == rules.dialect);
                Rc::new(Dialect::for_kind(
                    base.expect("the build script looked for it"),
                    rules,
                ))
            };
            rules.into_iter().map(with_base).collect()
        })
    }

    /// The one of this name for files of this kind, or the edition.
    pub fn get_for(&self, id: &str, kind: Kind) -> Result<&Rc<Dialect>, UnknownDialect> {
        let found = self.of(kind).find(|dialect| dialect.id == id);
        let edition = || {
            let edition = self.edition(id, kind)?;
            Some(&edition.dialect)
        };
        found.or_else(edition).ok_or_else(|| UnknownDialect {
            nearest: self.nearest(id, kind).map(Into::into),
        })
    }

    /// The one of this name for files of this kind, or of the kind before the name: `skill:codex`.
    pub fn named(&self, name: &str, kind: Kind) -> Result<&Rc<Dialect>, UnknownDialect> {
        let (kind, id) = with_kind(name, kind);
        self.get_for(id, kind).map_err(|unknown| UnknownDialect {
            nearest: unknown
                .nearest
                .map(|nearest| [name.strip_suffix(id).unwrap_or_default(), &nearest].concat()),
        })
    }

    /// Whether there is one of this name, or an edition, for any kind of file.
    pub(crate) fn check(&self, id: &str) -> Result<(), UnknownDialect> {
        let kinds = [Kind::Skill, Kind::Command].into_iter();
        if kinds
            .map(|kind| self.get_for(id, kind))
            .any(|found| found.is_ok())
        {
            Ok(())
        } else {
            self.get(id).map(drop)
        }
    }

    /// The one of this name, or the edition: `kode@2.0.2`.
    pub fn get(&self, id: &str) -> Result<&Rc<Dialect>, UnknownDialect> {
        self.get_for(id, Kind::Agent)
    }

    /// The closest name. A wrong release means another release of the same dialect, not the dialect itself.
    fn nearest(&self, id: &str, kind: Kind) -> Option<&str> {
        let Some((dialect, _)) = id.split_once('@') else {
            return closest(id, self.of(kind).map(|dialect| &*dialect.id));
        };
        let same = self.readers().of(kind).filter(|reader| reader.dialect == dialect);
        let newest = self.release_of(dialect, kind).map(|reader| &*reader.id);
        closest(id, same.map(|reader| &*reader.id))
            .or(newest)
            .or_else(|| closest(id, self.readers().of(kind).map(|reader| &*reader.id)))
    }

    /// The reader, if the dialect is an edition.
    pub(crate) fn reader(&self, dialect: &Dialect) -> Option<&Reader> {
        self.edition(&dialect.id, dialect.kind)
            .map(|edition| &*edition.reader)
    }

    /// The release that decides which files of this dialect load: the edition's own, else the newest one.
    pub(crate) fn release(&self, dialect: &Dialect) -> Option<&Reader> {
        self.release_of(&dialect.id, dialect.kind)
    }

    /// The release that tells how frontmatter of all kinds is read.
    pub(crate) fn frontmatter_release(&self, dialect: &Dialect) -> Option<&Reader> {
        let is_alike = dialect.tolerates == Tolerance::UnquotedLines;
        is_alike.then(|| self.release_of(dialect.product(), Kind::Agent))?
    }

    fn release_of(&self, id: &str, kind: Kind) -> Option<&Reader> {
        let decides = |reader: &&Rc<Reader>| reader.id == id || reader.dialect == id && reader.decides;
        self.readers().of(kind).find(decides).map(|reader| &**reader)
    }

    fn readers(&self) -> &Readers {
        self.readers.get_or_init(Readers::embedded)
    }

    fn edition(&self, id: &str, kind: Kind) -> Option<&Edition> {
        if !id.contains('@') {
            return None;
        }
        let editions = self.editions.get_or_init(|| self.editions());
        let is_it = |edition: &&Edition| edition.reader.id == id && edition.reader.kind == kind;
        editions.iter().find(is_it)
    }

    fn editions(&self) -> Vec<Edition> {
        let of_dialect = |reader: &Rc<Reader>| {
            let of_kind = self.of(reader.kind);
            let dialect = of_kind.into_iter().find(|dialect| dialect.id == reader.dialect)?;
            let mut dialect = Dialect::clone(dialect);
            dialect.id.clone_from(&reader.id);
            dialect.base.get_or_insert_with(|| reader.dialect.clone());
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
        self.readers().all.iter().filter_map(of_dialect).collect()
    }

    /// The dialect that owns the directory of the path, which is relative to the project.
    pub fn owner(&self, path: &str) -> Option<&Rc<Dialect>> {
        self.every().find(|dialect| dialect.owns(path))
    }

    /// What a file of this path defines, which is relative to the project.
    pub(crate) fn kind_of(&self, path: &str) -> Kind {
        let file = file_name(path);
        let owner = self.owner(path).filter(|owner| owner.reads(file));
        let owner = owner.or_else(|| self.of_form(path));
        owner.map_or(Kind::Agent, |owner| owner.kind)
    }

    /// The dialect that is the only one to use such a file name.
    pub(crate) fn of_form(&self, path: &str) -> Option<&Rc<Dialect>> {
        let file = file_name(path);
        let has_form = |dialect: &&Rc<Dialect>| {
            let form = dialect.files.own_extension.as_deref();
            form.is_some_and(|form| file.strip_suffix(form).is_some_and(|stem| stem.ends_with('.')))
        };
        let open = || self.of(Kind::Skill).find(|dialect| dialect.id == OPEN_SKILLS);
        let open = || open().filter(|dialect| dialect.reads(file));
        self.every().find(has_form).or_else(open)
    }

    /// The given dialect, or else that of a file of this path and text.
    pub(crate) fn choose(
        &self,
        id: Option<&str>,
        path: &str,
        text: &str,
    ) -> Result<&Rc<Dialect>, UnknownDialect> {
        match id {
            Some(id) => self.named(id, self.kind_of(path)),
            None => Ok(self.of_file(path, text)),
        }
    }

    /// The dialect for a file of this path and text, if none is given.
    pub fn of_file(&self, path: &str, text: &str) -> &Rc<Dialect> {
        let file = file_name(path);
        let may_be = |owner: &&Rc<Dialect>| owner.format == Format::Markdown || owner.reads(file);
        let claims = |owner: &&Rc<Dialect>| may_be(owner) && self.claims(owner, path, text);
        let owner = self.owner(path).filter(claims);
        owner
            .or_else(|| self.of_form(path))
            .unwrap_or_else(|| self.usual())
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

    /// Those that read agents.
    pub fn iter(&self) -> impl Iterator<Item = &Rc<Reader>> {
        self.of(Kind::Agent)
    }

    /// Those that read files of this kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Rc<Reader>> {
        self.all.iter().filter(move |reader| reader.kind == kind)
    }

    /// The one of this name that reads files of this kind.
    pub fn get(&self, id: &str, kind: Kind) -> Result<&Rc<Reader>, UnknownReader> {
        let found = self.of(kind).find(|reader| reader.id == id);
        found.ok_or_else(|| UnknownReader {
            nearest: closest(id, self.of(kind).map(|reader| &*reader.id)).map(Into::into),
        })
    }
}

/// The kind before a name, if there is one, and the name.
pub(crate) fn with_kind(name: &str, kind: Kind) -> (Kind, &str) {
    let (noun, id) = name.split_once(':').unwrap_or(("", name));
    let mut kinds = Kind::ALL.into_iter();
    let prefix = kinds.find(|kind| kind.noun() == noun);
    prefix.map_or((kind, name), |prefix| (prefix, id))
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
