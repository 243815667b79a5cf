//! Dialects: the rules of each product, as data.

mod schema;

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::OnceCell;

pub use schema::{
    BodyRule, BuiltIn, Clash, CommandPatterns, Condition, Delegation, Dialect, Extent, FileRule, Form,
    Format, Identity, Key, Level, ModelAbsent, NoFrontmatter, PluginSource, PromptPlace, Shape, Source,
    Specifiers, Tolerance, ToolDefaults, ToolShape, ToolText, Verdict,
};

use crate::closest::closest;
use crate::document::stem as plain_stem;
use crate::frontmatter::split;
use crate::lines::lines;
use crate::reader::{Reader, Readers};

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
            nearest: closest(id, self.all.iter().map(|dialect| &*dialect.id)).map(Into::into),
        })
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

impl Key {
    /// Whether a file without it is not loaded.
    pub fn is_required(&self) -> bool {
        self.missing == Verdict::Dropped
    }

    /// Whether it takes text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.shape, Shape::Text | Shape::Scalar)
    }

    /// Whether it takes prose, in which any character may be literal.
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

impl Form {
    /// Whether a name has this form.
    pub fn holds(self, name: &str) -> bool {
        const THEME: &[&str] = &[
            "primary",
            "secondary",
            "accent",
            "success",
            "warning",
            "error",
            "info",
        ];
        let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        match self {
            Self::ThemeColor => {
                let hex = |digits: &str| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit());
                THEME.contains(&name) || name.strip_prefix('#').is_some_and(hex)
            }
            Self::Kebab => name
                .split('-')
                .all(|part| !part.is_empty() && part.chars().all(lower)),
            Self::Slug => name.chars().all(|c| lower(c) || matches!(c, '-' | '_')),
            Self::Word => {
                let joins = |c: char| matches!(c, '-' | '_');
                name.chars().all(|c| c.is_alphanumeric() || joins(c)) && name.trim_matches(joins) == name
            }
        }
    }

    /// The form in words, after "is not".
    pub fn words(self) -> &'static str {
        match self {
            Self::Kebab => "in lowercase with hyphens",
            Self::Slug => "only lowercase letters, digits, hyphens and underscores",
            Self::ThemeColor => "`#RRGGBB` or a color of the theme",
            Self::Word => "only letters and digits with hyphens and underscores between them",
        }
    }
}

impl Source {
    /// The directory for display, `~` being the home directory.
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

    /// The extensions of its files with their dots, that of new ones first; an empty one means none.
    pub fn endings(&self) -> impl Iterator<Item = String> {
        let dotted = |extension: &String| match extension.is_empty() {
            true => String::new(),
            false => [".", extension].concat(),
        };
        self.files.extensions.iter().map(dotted)
    }

    /// The field of the key that holds the prompt; none if the body does.
    pub fn prompt_key(&self) -> Option<&str> {
        (self.format == Format::Toml).then_some("prompt")
    }

    /// Whether a file of this name may be an agent.
    pub fn reads(&self, file: &str) -> bool {
        let rule = &self.files;
        let hidden = !rule.hidden && file.starts_with('.');
        let prefixed = !rule.skip_prefix.is_empty() && file.starts_with(&rule.skip_prefix);
        let skipped = hidden || prefixed || rule.skip.iter().any(|name| name == file);
        !skipped && self.extension_rank(file).is_some()
    }

    /// The rank of the file's extension among equal stems; 0 wins.
    pub fn extension_rank(&self, file: &str) -> Option<usize> {
        let ends = |extension: &String| match extension.as_str() {
            "" => !file.contains('.'),
            extension => without_extension(file, extension).is_some(),
        };
        self.files.extensions.iter().position(ends)
    }

    /// The name of a file's agent if it does not set one.
    pub fn stem<'a>(&self, path: &'a str) -> &'a str {
        let path = path.strip_prefix("./").unwrap_or(path);
        let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
        let known = self.files.extensions.iter();
        let stem = known.filter(|extension| !extension.is_empty());
        let stem = stem
            .filter_map(|extension| without_extension(file, extension))
            .next();
        // Files that it does not read are shown anyway.
        let stem = stem
            .filter(|stem| !stem.is_empty())
            .unwrap_or_else(|| plain_stem(file));
        let start = path.len() - file.len();
        let start = match self.identity {
            Identity::Stem => start,
            Identity::Path => self
                .place(path, |source| source.owned)
                .map_or(start, |end| (end + 1).min(start)),
        };
        &path[start..path.len() - file.len() + stem.len()]
    }

    /// Whether the path is in a directory whose name only this dialect uses.
    pub fn has_name_of_its_own(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let place = self.place(path, |source| source.owned);
        place.is_some_and(|place| path[..place].contains('.'))
    }

    /// The folders between a directory of its own and a file, with a trailing slash; empty for none.
    pub(crate) fn folders<'a>(&self, path: &'a str) -> &'a str {
        let path = path.strip_prefix("./").unwrap_or(path);
        let below = self
            .place(path, |source| source.owned)
            .map_or("", |end| &path[end + 1..]);
        &below[..below.rfind('/').map_or(0, |at| at + 1)]
    }

    /// The project directory with the dialect's directory that contains the path; empty for the one that the path is relative to.
    pub(crate) fn base<'a>(&self, path: &'a str) -> Option<&'a str> {
        let mut own = self.sources.iter().filter(|source| source.owned);
        own.find_map(|source| {
            let end = self.place(path, |other| core::ptr::eq(other, source))?;
            let path = path.strip_prefix("./").unwrap_or(path);
            Some(path[..end - source.directory.len()].trim_end_matches('/'))
        })
    }

    /// Whether a directory of its own has a name that no other product uses.
    pub(crate) fn is_unmistakable(&self, directory: &str) -> bool {
        let mut own = self.sources.iter().filter(|source| source.owned);
        own.any(|source| {
            let before = directory.strip_suffix(&*source.directory);
            source.directory.starts_with(['.', '/'])
                && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
    }

    /// The directories of a project that are its own.
    pub(crate) fn own_directories(&self) -> impl Iterator<Item = &str> {
        let sources = self.sources.iter();
        let own = sources.filter(|source| source.owned && source.level == Level::Project);
        own.map(|source| &*source.directory)
    }

    /// The same dialect as it reads files of a source of this kind; none if that makes no difference.
    pub(crate) fn at(&self, level: Level) -> Option<Self> {
        let is_optional = |key: &Key| key.optional_at.contains(&level) && key.missing != Verdict::Fine;
        if !self.keys.iter().any(is_optional) {
            return None;
        }
        let mut dialect = self.clone();
        dialect.unmeasured = true;
        let keys = dialect.keys.iter_mut().filter(|key| is_optional(key));
        keys.for_each(|key| key.missing = Verdict::Fine);
        Some(dialect)
    }

    /// Whether it reads agents in this file's place, the path being relative to the project.
    pub fn looks_at(&self, path: &str) -> bool {
        self.place(path, |source| !source.directory.is_empty()).is_some()
    }

    /// Whether it reads this file as an agent, the path being relative to the project.
    pub(crate) fn reads_at(&self, path: &str) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let looks = |source: &Source| {
            let end = self.place(path, |other| {
                core::ptr::eq(other, source) && !source.directory.is_empty()
            });
            end.is_some_and(|end| source.recursive || path.len() == end + "/".len() + name.len())
        };
        self.reads(name) && self.sources.iter().any(looks)
    }

    fn owns(&self, path: &str) -> bool {
        self.place(path, |source| source.owned).is_some()
    }

    /// Where the directory ends of the first `meant` source that contains the path.
    fn place(&self, path: &str, meant: impl Fn(&Source) -> bool) -> Option<usize> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let sources = self.sources.iter().filter(|source| meant(source));
        sources.into_iter().find_map(|source| {
            let directory = &*source.directory;
            let ends = |at: usize| at + directory.len();
            let below = |at: &usize| path[ends(*at)..].starts_with('/');
            if directory.starts_with('.') {
                let mut places = path.match_indices(directory).map(|(at, _)| at);
                places
                    .find(|at| (*at == 0 || path[..*at].ends_with('/')) && below(at))
                    .map(ends)
            } else {
                // A bare `agents` is too common a name in subfolders.
                (path.starts_with(directory) && below(&0)).then(|| ends(0))
            }
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

fn without_extension<'a>(file: &'a str, extension: &str) -> Option<&'a str> {
    file.strip_suffix(extension)?.strip_suffix('.')
}
