//! Reads the sources and keeps a summary of what is found.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::configured::{self, NamedFile};
use super::slots::Slot;
use crate::definition::{Definition, Model, ToolFilter};
use crate::diagnostic::{Anchor, Diagnostic, Place};
use crate::dialect::{Dialect, Dialects, Level};
use crate::document::Document;
use crate::files::{FileEntry, FileError, FileKind, Files, Stamp, join};
use crate::ignore::Ignore;
use crate::limits::{DIRECTORY_DEPTH, SOURCE_FILES};
use crate::listing::{dead_link, no_file, too_many_files, unreadable_directory};
use crate::mentions::Mentions;
use crate::places::{file_name, with_parents};
use crate::rules;
use crate::verdict::Outcome;

/// The summary of a definition, kept after the definition has left the cache.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) slot: usize,
    pub(super) path: Option<Rc<str>>,
    pub(super) stamp: Stamp,
    pub(super) name: String,
    /// The name in its file, if it is called by another one because several have it.
    pub(super) shared: Option<String>,
    /// Its display name, with the prefix of its plugin.
    pub(super) title: Option<String>,
    pub(super) description: String,
    pub(super) tools: ToolFilter,
    pub(super) model: Model,
    pub(super) color: Option<String>,
    pub(super) outcome: Outcome,
    /// Whether it disables its agent, if it says so.
    pub(super) disabled: Option<bool>,
    /// Whether users may choose its agent, if it says so.
    pub(super) for_users: Option<bool>,
    /// Whether models may choose its agent, if it says so.
    pub(super) for_models: Option<bool>,
    /// Where the name is, for findings between files.
    pub(super) anchor: Anchor,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Findings in the file that comments suppress.
    pub(super) suppressed: Vec<Diagnostic>,
    /// Comments of the file that suppress findings between files.
    pub(super) ignores: Vec<Ignore>,
    /// The agents, skills and servers it names, for findings between files.
    pub(super) mentions: Mentions,
    /// The whole definition, if it has no file of its own.
    pub(super) fixed: Option<Rc<Definition>>,
}

impl Item {
    fn of(slot: usize, document: Document) -> (Self, Definition) {
        let definition = document.definition;
        let item = Self {
            slot,
            path: None,
            stamp: Stamp::default(),
            name: definition.name.clone(),
            shared: None,
            title: definition.title().filter(|title| !title.is_empty()),
            description: definition.description.clone(),
            tools: definition.tools.clone(),
            model: definition.model.clone(),
            color: definition.color.clone(),
            outcome: document.outcome,
            disabled: definition.disabled(),
            for_users: definition.for_users(),
            for_models: definition.for_models(),
            anchor: document.anchor,
            diagnostics: document.diagnostics,
            suppressed: document.suppressed,
            ignores: document.ignores,
            mentions: document.mentions,
            fixed: None,
        };
        (item, definition)
    }

    /// Definitions without a file of their own.
    pub(super) fn fixed(slot: usize, document: Document) -> Self {
        let (mut item, definition) = Self::of(slot, document);
        item.fixed = Some(Rc::new(definition));
        item
    }

    pub(super) fn of_file(
        slot: usize,
        source: &Slot,
        path: &Rc<str>,
        stamp: Stamp,
        document: Document,
    ) -> (Self, Definition) {
        let (mut item, mut definition) = Self::of(slot, document);
        item.path = Some(Rc::clone(path));
        item.stamp = stamp;
        if let Some(prefix) = source.prefix_of(path) {
            if source.is_whole_skill(path) {
                let unnamed = || prefix.trim_end_matches(':').to_owned();
                let title = item.title.take();
                if let Some(name) = title.or_else(|| (!path.contains('/')).then(unnamed)) {
                    definition.name.clone_from(&name);
                    item.name = name;
                }
            }
            item.name.insert_str(0, &prefix);
            item.title
                .iter_mut()
                .for_each(|title| title.insert_str(0, &prefix));
            definition.name.insert_str(0, &prefix);
        }
        (item, definition)
    }

    /// A file that exists but could not be read.
    pub(super) fn unreadable(
        slot: usize,
        path: Rc<str>,
        stamp: Stamp,
        error: &FileError,
        dialect: &Dialect,
    ) -> Self {
        let reason = format!("the file cannot be read: {}", error.words());
        let name = dialect.stem(&path).into_owned();
        let place = Place::beginning(&path);
        let diagnostic = Diagnostic::new(&rules::unreadable_file::RULE, place, reason.clone());
        Self {
            slot,
            path: Some(path),
            stamp,
            name,
            shared: None,
            title: None,
            description: String::new(),
            tools: ToolFilter::Absent,
            model: Model::Absent,
            color: None,
            outcome: Outcome::Dropped(reason),
            disabled: None,
            for_users: None,
            for_models: None,
            anchor: Anchor::default(),
            diagnostics: alloc::vec![diagnostic],
            suppressed: Vec::new(),
            ignores: Vec::new(),
            mentions: Mentions::default(),
            fixed: None,
        }
    }

    /// Gives a registered definition its name.
    pub(super) fn rename(&mut self, name: &str) {
        self.name = name.to_owned();
        if let Some(definition) = &mut self.fixed {
            Rc::make_mut(definition).name = name.to_owned();
        }
    }

    /// Whether it was read from this version of the file.
    pub(super) fn is_current(&self, stamp: Stamp) -> bool {
        stamp.modified.is_some() && self.stamp == stamp
    }

    pub(super) fn brief(&self) -> Definition {
        Definition {
            name: self.name.clone(),
            description: self.description.clone(),
            tools: self.tools.clone(),
            model: self.model.clone(),
            color: self.color.clone(),
            ..Definition::default()
        }
    }
}

/// What was found at a location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// It was listed.
    Present,
    /// There is nothing there.
    #[default]
    Missing,
    /// It could not be listed.
    Unreadable,
}

/// The result of listing a source.
#[derive(Debug, Default)]
pub(super) struct Visit {
    pub(super) presence: Presence,
    /// The contents of its file of settings.
    pub(super) settings: Option<Vec<u8>>,
    /// The files that these name.
    pub(super) named: Vec<NamedFile>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// A source at one refresh.
#[derive(Debug)]
pub(super) struct Look {
    pub(super) visit: Visit,
    pub(super) files: Vec<(Rc<str>, Stamp)>,
}

/// Lists every source. Files are in byte order of their names, directory by directory. Where files are checked, agents in places that
/// no tool reads are reported, too.
pub(super) fn look(
    files: &dyn Files,
    dialects: &Dialects,
    dialect: &Dialect,
    slots: &[Slot],
    check: bool,
) -> Vec<Look> {
    let looks = slots.iter().map(|slot| {
        let mut walk = Walk {
            files,
            dialect,
            dialects: (check && slot.owned).then_some(dialects),
            // A manifest may name the folder of one file.
            is_given: slot.level == Level::Plugin,
            hidden: slot.hidden_folders,
            deepest: match dialect.files.folders {
                _ if !slot.recursive => 0,
                Some([_, most]) => most,
                None => DIRECTORY_DEPTH,
            },
            look: Look {
                visit: Visit::default(),
                files: Vec::new(),
            },
        };
        match (slot.settings(), &slot.directory) {
            (Some(file), _) => {
                walk.look.visit.settings = configured::read(files, file);
                let contents = walk.look.visit.settings.as_deref().unwrap_or_default();
                walk.look.visit.named = configured::named(slot, contents);
                walk.named();
            }
            (None, Some(directory)) => walk.list(directory, 0),
            (None, None) => {}
        }
        walk.look
    });
    let mut looks: Vec<Look> = looks.collect();
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for (at, look) in looks.iter().enumerate() {
        named.extend(look.visit.named.iter().map(|file| (file.path.to_string(), at)));
    }
    if !named.is_empty() {
        // Each file is of the strongest settings that name it, and of no directory.
        for (at, look) in looks.iter_mut().enumerate() {
            look.files
                .retain(|(path, _)| named.get(&**path).is_none_or(|of| *of == at));
        }
    }
    in_innermost(slots, &mut looks);
    looks
}

/// Leaves each file of a plugin to the innermost of the plugins' places: a manifest may list a part of a folder that is one, too.
fn in_innermost(slots: &[Slot], looks: &mut [Look]) {
    let of_plugin = |slot: &&Slot| slot.level == Level::Plugin;
    let places = slots.iter().filter(of_plugin);
    let places: BTreeSet<&str> = places.filter_map(|slot| slot.directory.as_deref()).collect();
    if places.len() < 2 {
        return;
    }
    for (slot, look) in slots.iter().zip(looks).filter(|(slot, _)| of_plugin(slot)) {
        let own = slot.directory.as_deref();
        look.files.retain(|(path, _)| {
            let innermost = with_parents(path).find(|place| places.contains(place));
            innermost.is_none() || innermost == own
        });
    }
}

struct Walk<'a> {
    files: &'a dyn Files,
    dialect: &'a Dialect,
    /// All of them, if unread agents are to be reported.
    dialects: Option<&'a Dialects>,
    /// How many folders below the source it searches.
    deepest: usize,
    /// Whether the source may be the folder of one file.
    is_given: bool,
    /// Whether it searches hidden folders, although the dialect does not.
    hidden: bool,
    look: Look,
}

impl Walk<'_> {
    /// The files that settings name, as far as they are there.
    fn named(&mut self) {
        let named = self.look.visit.named.iter();
        let paths: Vec<Rc<str>> = named.map(|file| Rc::clone(&file.path)).collect();
        for path in paths {
            self.one(path);
        }
    }

    /// Whether a source is one file, which is read then.
    fn is_file(&mut self, source: &str) -> bool {
        self.dialect.reads(file_name(source)) && self.one(source.into())
    }

    /// One file, if it is there. Whether it is.
    fn one(&mut self, path: Rc<str>) -> bool {
        let (directory, name) = path.rsplit_once('/').unwrap_or((".", &path));
        let entries = self.files.list(directory).unwrap_or_default();
        let is_it = |entry: &&FileEntry| entry.kind == FileKind::File && *entry.name == *name;
        let Some(stamp) = entries.iter().find(is_it).map(|entry| entry.stamp) else {
            return false;
        };
        if !self.look.files.iter().any(|(known, _)| *known == path) {
            self.look.files.push((path, stamp));
        }
        true
    }

    fn list(&mut self, directory: &str, folders: usize) {
        let entries = match self.files.list(directory) {
            Ok(entries) => entries,
            // A manifest may name one file.
            Err(_) if self.is_given && folders == 0 && self.is_file(directory) => {
                self.look.visit.presence = Presence::Present;
                return;
            }
            Err(FileError::NotFound) => return,
            Err(error) => {
                if self.look.visit.presence == Presence::Missing {
                    self.look.visit.presence = Presence::Unreadable;
                }
                let diagnostic = unreadable_directory(directory, &error);
                self.look.visit.diagnostics.push(diagnostic);
                return;
            }
        };
        self.look.visit.presence = Presence::Present;
        let is_placed = self.dialect.reads_below(folders) || self.is_given && folders == 0;
        let is_file =
            |entry: &FileEntry| entry.kind == FileKind::File && is_placed && self.dialect.reads(&entry.name);
        let is_whole = |entry: &FileEntry| is_file(entry) && self.dialect.is_of_folder(&entry.name);
        let whole = entries.iter().find(|entry| is_whole(entry)).cloned();
        let is_alone = self.dialect.files.alone && entries.iter().any(is_file);
        let is_end = folders >= self.deepest || is_alone || self.is_given && whole.is_some();
        for entry in entries {
            let path = || join(directory, &entry.name);
            if entry.kind == FileKind::File && whole.as_ref().is_some_and(|whole| whole.name != entry.name) {
                continue;
            }
            let is_read = self.dialect.reads(&entry.name) && is_placed;
            match entry.kind {
                FileKind::Directory if self.dialect.skips(&entry.name) => {}
                FileKind::Directory if !is_end && (self.hidden || self.dialect.enters(&entry.name)) => {
                    self.list(&path(), folders + 1);
                }
                FileKind::Directory if self.dialects.is_some() => self.passed_over(&path(), folders + 1),
                FileKind::File if is_read && self.look.files.len() < SOURCE_FILES => {
                    self.unread(&path(), folders);
                    self.look.files.push((path().into(), entry.stamp));
                }
                FileKind::File if is_read => {
                    let cut = too_many_files(directory);
                    if self.look.visit.diagnostics.last() != Some(&cut) {
                        self.look.visit.diagnostics.push(cut);
                    }
                }
                FileKind::File => self.unread(&path(), folders),
                FileKind::Link if !is_end || is_read => {
                    self.look.visit.diagnostics.push(dead_link(&path()));
                }
                FileKind::Other if is_read => self.look.visit.diagnostics.push(no_file(&path())),
                _ => {}
            }
        }
    }

    /// A folder that the dialect does not search.
    fn passed_over(&mut self, directory: &str, folders: usize) {
        for entry in self.files.list(directory).unwrap_or_default() {
            if entry.kind == FileKind::File {
                self.unread(&join(directory, &entry.name), folders);
            }
        }
    }

    fn unread(&mut self, path: &str, folders: usize) {
        let may_be = rules::unread_file::may_be(self.dialect, path, folders);
        if let Some(dialects) = self.dialects.filter(|_| may_be) {
            let found = rules::unread_file::find(self.files, dialects, self.dialect, path);
            self.look.visit.diagnostics.extend(found);
        }
    }
}

/// Whether a source changed since the last refresh.
pub(super) fn differs(visits: &[Visit], items: &[Item], looks: &[Look]) -> bool {
    let states = visits.iter().zip(looks);
    if states.into_iter().any(|(visit, look)| {
        visit.presence != look.visit.presence
            || visit.settings != look.visit.settings
            || visit.diagnostics != look.visit.diagnostics
    }) {
        return true;
    }
    let mut known = items.iter().filter(|item| item.path.is_some());
    for (slot, look) in looks.iter().enumerate() {
        for (path, stamp) in &look.files {
            let same = known.next().is_some_and(|item| {
                item.slot == slot && item.path.as_deref() == Some(&**path) && item.is_current(*stamp)
            });
            if !same {
                return true;
            }
        }
    }
    known.next().is_some()
}
