//! Dialects: the rules of each product, as data.

mod registry;
mod schema;

use alloc::borrow::Cow;
use alloc::string::String;

pub use registry::{Dialects, Readers, UnknownDialect, UnknownReader};
pub use schema::edition;
pub use schema::{
    BodyRule, BuiltIn, Canonical, Clash, CommandPatterns, Condition, Delegation, Dialect, Extent, FileRule,
    Form, Format, Identity, Key, Kind, KindRules, Level, ModelAbsent, NoFrontmatter, PluginSource,
    PromptPlace, Shape, Source, Specifiers, Tolerance, ToolDefaults, ToolShape, ToolText, Verdict,
};

use crate::places::stem as plain_stem;

/// Where a definition came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The dialect that read it.
    pub dialect: String,
    /// The kind of source.
    pub level: Level,
    /// The source, for display.
    pub source: String,
    /// The file.
    pub path: Option<String>,
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
            self.field,
            Canonical::Description | Canonical::InitialPrompt | Canonical::Context
        )
    }

    /// The spelling for new files.
    pub fn written(&self) -> &str {
        self.write_as.as_deref().unwrap_or(&self.spellings[0])
    }
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Skill, Self::Command];

    /// The word for one.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Skill => "skill",
            Self::Command => "command",
        }
    }

    /// The word with its article.
    pub fn a(self) -> &'static str {
        match self {
            Self::Agent => "an agent",
            Self::Skill => "a skill",
            Self::Command => "a command",
        }
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

    /// Whether a file of this name may be one of its files.
    pub fn reads(&self, file: &str) -> bool {
        let rule = &self.files;
        if let Some(name) = &rule.name {
            return file == name;
        }
        let hidden = !rule.hidden && file.starts_with('.');
        let prefixed = !rule.skip_prefix.is_empty() && file.starts_with(&rule.skip_prefix);
        let skipped = hidden || prefixed || rule.skip.iter().any(|name| name == file);
        !skipped && self.extension_rank(file).is_some()
    }

    /// Whether it reads files that are this many folders below a source.
    pub(crate) fn reads_below(&self, folders: usize) -> bool {
        let allowed = self.files.folders;
        allowed.is_none_or(|[least, most]| (least..=most).contains(&folders))
    }

    /// The rank of the file's extension among equal stems; 0 wins.
    pub fn extension_rank(&self, file: &str) -> Option<usize> {
        let ends = |extension: &String| match extension.as_str() {
            "" => !file.contains('.'),
            extension => without_extension(file, extension).is_some(),
        };
        self.files.extensions.iter().position(ends)
    }

    /// The name of a file's definition if it does not set one.
    pub fn stem<'a>(&self, path: &'a str) -> Cow<'a, str> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
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
            Identity::Folder => {
                let name = folder.rsplit('/').next().filter(|name| !name.is_empty());
                return Cow::Borrowed(name.unwrap_or(stem));
            }
            Identity::Stem => start,
            Identity::Path | Identity::Colons => self
                .place(path, |source| source.owned)
                .map_or(start, |end| (end + 1).min(start)),
        };
        let name = &path[start..path.len() - file.len() + stem.len()];
        match self.identity {
            Identity::Colons if name.contains('/') => Cow::Owned(name.replace('/', ":")),
            _ => Cow::Borrowed(name),
        }
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

    /// Whether it looks for files in any directory.
    pub(crate) fn has_places(&self) -> bool {
        self.sources.iter().any(|source| !source.directory.is_empty())
    }

    /// The directories of a project that are its own.
    pub(crate) fn own_directories(&self) -> impl Iterator<Item = &str> {
        let sources = self.sources.iter();
        let own = sources.filter(|source| source.owned && source.level == Level::Project);
        own.map(|source| &*source.directory)
    }

    /// The same dialect with its rules for skills or commands.
    pub(crate) fn for_kind(base: &Self, rules: KindRules) -> Self {
        let (id, title) = match rules.alone {
            Some(alone) => (alone.id, alone.title),
            None => (base.id.clone(), base.title.clone()),
        };
        Self {
            id,
            title,
            kind: rules.kind,
            evidence: rules.evidence,
            format: rules.format,
            identity: rules.identity,
            clash: rules.clash,
            tolerates: rules.tolerates,
            duplicate_keys: rules.duplicate_keys,
            unknown_keys: rules.unknown_keys,
            other_folder: rules.other_folder,
            listing: rules.listing,
            variable_prefix: rules.variable_prefix,
            variables: rules.variables,
            bad_frontmatter: rules.bad_frontmatter,
            body: rules.body,
            files: rules.files,
            sources: rules.sources,
            keys: rules.keys,
            tools: ToolDefaults {
                unknown: Verdict::Fine,
                ..base.tools
            },
            built_ins: alloc::vec::Vec::new(),
            other_agents: alloc::vec::Vec::new(),
            broken_keeps_name: false,
            description_budget: None,
            ..base.clone()
        }
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
            end.is_some_and(|end| {
                let folders = path[end + "/".len()..].matches('/').count();
                (source.recursive || folders == 0) && self.reads_below(folders)
            })
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

fn without_extension<'a>(file: &'a str, extension: &str) -> Option<&'a str> {
    file.strip_suffix(extension)?.strip_suffix('.')
}
