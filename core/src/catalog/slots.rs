//! A dialect's sources as concrete directories, in order of precedence.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Options, Project};
use crate::dialect::{Clash, Dialect, Dialects, Identity, Level, Source, UnknownDialect};
use crate::files::join;
use crate::order::sorted;
use crate::places::directory;

/// A directory that a catalog reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The kind of source.
    pub level: Level,
    /// The directory.
    pub directory: String,
    /// Whether the directories below are searched too.
    pub recursive: bool,
    /// Whether the dialect owns it.
    pub owned: bool,
}

impl Location {
    /// Whether the user named it, so that it is not one of the tool's own places.
    pub(crate) fn is_given(&self) -> bool {
        matches!(self.level, Level::CommandLine | Level::Plugin)
    }
}

/// One source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) level: Level,
    /// None for a source without files.
    pub(super) directory: Option<String>,
    /// The keys of its agents, if `directory` is a file of settings.
    pub(super) keys: Vec<String>,
    /// The mode of its agents.
    pub(super) mode: Option<String>,
    /// The key of such an agent for its file.
    pub(super) file_key: Option<String>,
    pub(super) recursive: bool,
    pub(super) owned: bool,
    /// Whether folders are searched whose names begin with a dot, although the dialect searches none.
    pub(super) hidden_folders: bool,
    /// The prefix of a plugin's agents.
    pub(super) prefix: Option<String>,
    /// Whether the folders of a file are a part of that prefix.
    pub(super) has_folders: bool,
    /// The file that has the name of its folder, which is no part of the prefix.
    pub(super) folder_file: Option<String>,
    /// The prefix of names that other sources have, too.
    pub(super) clash_prefix: String,
}

impl Slot {
    pub(super) fn location(&self) -> Option<Location> {
        let directory = self.directory.as_ref().filter(|_| self.keys.is_empty())?;
        Some(Location {
            level: self.level,
            directory: directory.clone(),
            recursive: self.recursive,
            owned: self.owned,
        })
    }

    /// Its file of settings.
    pub(super) fn settings(&self) -> Option<&str> {
        self.directory.as_deref().filter(|_| !self.keys.is_empty())
    }

    /// What is before the name of a file's definition: the plugin, and the folders between its place and the file.
    pub(super) fn prefix_of(&self, path: &str) -> Option<String> {
        let plugin = self.prefix.clone()?;
        let below = self
            .directory
            .as_ref()
            .and_then(|place| path.strip_prefix(&**place));
        let folders = below.and_then(|below| below.strip_prefix('/')?.rsplit_once('/'));
        match folders {
            Some((folders, file)) if self.has_folders => {
                let known = self.folder_file.as_ref();
                let folders = if known.is_some_and(|known| known.eq_ignore_ascii_case(file)) {
                    folders.rsplit_once('/').map(|(folders, _)| folders)
                } else {
                    Some(folders)
                };
                let folders = folders.map(|folders| folders.replace('/', ":") + ":");
                Some(plugin + &folders.unwrap_or_default())
            }
            _ => Some(plugin),
        }
    }

    /// Whether a file is, or is in, the very folder of a plugin's skill, which is named by its file. The folder of the project has no name.
    pub(super) fn is_whole_skill(&self, path: &str) -> bool {
        let folder = directory(path);
        let place = self.directory.as_deref().filter(|_| !self.has_folders);
        place.is_some_and(|place| place == path || place == folder)
    }

    /// The source, for display.
    pub(super) fn label(&self) -> String {
        match (&self.directory, self.level) {
            (Some(directory), _) => directory.clone(),
            (None, Level::BuiltIn) => "built-in".to_owned(),
            (None, Level::CommandLine) => crate::document::INLINE_PATH.to_owned(),
            (None, _) => "registered".to_owned(),
        }
    }
}

/// Every directory that a catalog with these options reads, the lowest precedence first.
pub fn locations(dialects: &Dialects, options: &Options) -> Result<Vec<Location>, UnknownDialect> {
    let dialect = dialects.get_for(&options.dialect, options.kind)?;
    let slots = slots(dialect, &options.project);
    Ok(slots.iter().filter_map(Slot::location).collect())
}

/// The directory for new agents of this level: the dialect's own of highest precedence, else any of highest precedence.
pub fn own_directory(
    dialects: &Dialects,
    options: &Options,
    level: Level,
) -> Result<Option<String>, UnknownDialect> {
    let dialect = dialects.get_for(&options.dialect, options.kind)?;
    let slots = slots(dialect, &options.project);
    let meant = slots
        .iter()
        .filter(|slot| slot.level == level && slot.mode.is_none());
    let mut there: Vec<Location> = meant.filter_map(Slot::location).collect();
    let own = there.iter().rposition(|location| location.owned);
    let best = own.map(|at| there.swap_remove(at)).or_else(|| there.pop());
    Ok(best.map(|location| location.directory))
}

/// The folders of skills that agents refer to.
pub(super) fn skill_directories(dialect: &Dialect, project: &Project) -> impl Iterator<Item = String> {
    let bases = project.ancestors.iter().chain([&project.directory]);
    let skills = dialect.skills.iter();
    let here = bases.flat_map(move |base| skills.clone().map(move |directory| join(base, directory)));
    let home = dialect.skills.iter();
    here.chain(home.filter_map(|directory| project.at_home(dialect, directory)))
}

/// Every source, the lowest precedence first.
pub(super) fn slots(dialect: &Dialect, project: &Project) -> Vec<Slot> {
    let mut sources: Vec<&Source> = dialect.sources.iter().collect();
    if dialect.clash == Clash::FirstWins {
        sources.reverse();
    }
    let strongest_first = dialect.clash == Clash::FirstWins;
    // If the outermost directory wins, all its sources win over those of inner directories. So do all settings of an inner directory over
    // those of outer ones. The modes in settings come after all agents there.
    let group = |source: &Source| {
        let is_settings = !source.keys.is_empty();
        let is_grouped = source.outermost_wins || is_settings && source.ancestors;
        is_grouped.then_some((source.outermost_wins, is_settings && source.mode.is_some()))
    };
    let groups: Vec<_> = sources.iter().map(|source| group(source)).collect();
    let mut ranked: Vec<((usize, usize), Slot)> = Vec::new();
    for (number, source) in sources.into_iter().enumerate() {
        let mut slots = of_source(dialect, source, project);
        if strongest_first {
            slots.reverse();
        }
        let first = groups[number].and_then(|_| groups.iter().position(|group| *group == groups[number]));
        let rank = |at| first.map_or((number, 0), |first| (first, at));
        ranked.extend(slots.into_iter().enumerate().map(|(at, slot)| (rank(at), slot)));
    }
    let ranked = sorted(ranked, |(a, _), (b, _)| a.cmp(b));
    ranked.into_iter().map(|(_, slot)| slot).collect()
}

/// The slots of one source; under `last-wins`, later ones win.
fn of_source(dialect: &Dialect, source: &Source, project: &Project) -> Vec<Slot> {
    let slot = |directory: Option<String>| Slot {
        level: source.level,
        directory,
        keys: source.keys.clone(),
        mode: source.mode.clone(),
        file_key: source.file_key.clone(),
        hidden_folders: source.hidden_folders,
        recursive: source.recursive,
        owned: source.owned,
        prefix: None,
        has_folders: dialect.identity != Identity::Folder,
        folder_file: dialect.files.folder_file.clone(),
        clash_prefix: source.prefix.clone(),
    };
    let below = |base: &str| slot(Some(join(base, &source.directory)));
    match source.level {
        Level::BuiltIn | Level::Programmatic => alloc::vec![slot(None)],
        Level::User => {
            let directory = project.at_home(dialect, &source.directory);
            directory
                .into_iter()
                .map(|directory| slot(Some(directory)))
                .collect()
        }
        Level::Policy => alloc::vec![slot(Some(source.directory.clone()))],
        Level::Project if source.ancestors => {
            let outermost_first = project.ancestors.iter().rev();
            let mut slots: Vec<Slot> = outermost_first.map(|ancestor| below(ancestor)).collect();
            slots.push(below(&project.directory));
            if source.outermost_wins {
                slots.reverse();
            }
            slots
        }
        Level::Project => alloc::vec![below(&project.directory)],
        Level::Plugin => project
            .plugins
            .iter()
            .map(|plugin| Slot {
                prefix: dialect.plugin_prefix.then(|| format!("{}:", plugin.name)),
                ..slot(Some(plugin.directory.clone()))
            })
            .collect(),
        Level::CommandLine => {
            let directories = project.directories.iter().cloned().map(Some);
            let inline = project.inline.is_some().then_some(None);
            directories.chain(inline).map(slot).collect()
        }
    }
}

/// The directories of other dialects where copies may be. Each pair of dialects is compared from one side only, and not at all if one
/// reads the other's directory: there the copy is reported as shadowed.
pub(super) fn copy_directories(
    dialects: &Dialects,
    dialect: &Dialect,
    options: &Options,
) -> Vec<(Rc<Dialect>, String)> {
    let mut directories = Vec::new();
    for other in dialects
        .iter()
        .filter(|other| options.check && other.id > dialect.id)
    {
        if !reads_from(dialect, other) && !reads_from(other, dialect) {
            let own =
                own(other).map(|directory| (Rc::clone(other), join(&options.project.directory, directory)));
            directories.extend(own);
        }
    }
    directories
}

/// The directories in a project that are a dialect's own.
fn own(dialect: &Dialect) -> impl Iterator<Item = &str> {
    let sources = dialect.sources.iter();
    let own = sources
        .filter(|source| source.owned && source.level == Level::Project && source.directory.starts_with('.'));
    own.map(|source| &*source.directory)
}

fn reads_from(dialect: &Dialect, other: &Dialect) -> bool {
    own(other).any(|directory| dialect.sources.iter().any(|source| source.directory == directory))
}
