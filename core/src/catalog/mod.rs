//! Many files: which agent is active, and why.

mod cards;
mod cast;
mod change;
mod configured;
mod copies;
mod entry;
mod explain;
mod grants;
mod instructions;
mod memory;
mod options;
mod referred;
mod report;
mod resolve;
mod scan;
mod search;
mod section;
pub(crate) mod servers;
mod skills;
mod slots;
#[cfg(test)]
mod tests;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroUsize;

use hashbrown::HashMap;
use lru::LruCache;

pub use crate::dialect::Origin;
pub use crate::references::Relation;
pub use cards::Card;
pub use change::{Change, ChangeKind};
pub(crate) use configured::are_configured;
pub use explain::{Explanation, NearMiss, Nearness};
pub use grants::{Grant, Grants};
pub use options::{CatalogError, Options, Plugin, Project};
pub use referred::referred;
pub use resolve::{Entry, Standing};
pub use scan::Presence;
pub use section::with_section;
pub use slots::{Location, locations, own_directory};

use crate::decode::permissions;
use crate::definition::Definition;
use crate::diagnostic::{self, Diagnostic};
use crate::dialect::{Clash, Dialect, Dialects, Kind, Level};
use crate::document::{self, Document};
use crate::files::{Files, Stamp};
use crate::offered::Offered;
use crate::permission::Reserved;
use crate::places::is_within;
use crate::verdict::Outcome;
use resolve::Ranking;
use scan::Item;
use slots::Slot;

/// A location with what was found there.
#[derive(Clone, Debug, PartialEq)]
pub struct Visited {
    /// The location.
    pub location: Location,
    /// What was there.
    pub presence: Presence,
    /// Files that were read as agents.
    pub files: u32,
}

/// What the catalog did since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Files in the catalog now.
    pub files: u32,
    /// Definitions parsed.
    pub parsed: u64,
    /// Bytes read.
    pub bytes: u64,
    /// Definitions that were asked for and were in the cache.
    pub hits: u64,
    /// Definitions that were asked for and were read again.
    pub misses: u64,
    /// Definitions in the cache now.
    pub cached: u32,
}

/// The active agents of one dialect.
pub struct Catalog {
    files: Rc<dyn Files>,
    dialects: Dialects,
    dialect: Rc<Dialect>,
    /// The dialect as it reads the agents of plugins.
    in_plugins: Rc<Dialect>,
    /// The dialect as it reads files that settings name.
    in_settings: Rc<Dialect>,
    options: Options,
    slots: Vec<Slot>,
    /// The slots' states at the last refresh: the presence and what could not be listed.
    visits: Vec<scan::Visit>,
    /// Everything found, in slot order.
    items: Vec<Item>,
    ranking: Ranking,
    /// The files of skills that win over every command of their name, by name.
    winning: BTreeMap<String, String>,
    /// By path, with the slot: one file may be in several.
    cache: LruCache<Rc<str>, (usize, Stamp, Rc<Definition>)>,
    counters: Counters,
    /// Tools that only some agents have.
    reserved: Reserved,
    /// What the project's plugins offer.
    offered: Rc<Offered>,
    /// Findings about what files name elsewhere.
    outside: Vec<Diagnostic>,
}

impl Catalog {
    /// Opens a catalog and reads its sources.
    pub fn open(files: Box<dyn Files>, dialects: &Dialects, options: Options) -> Result<Self, CatalogError> {
        let dialect = dialects
            .get_for(&options.dialect, options.kind)
            .map_err(CatalogError::UnknownDialect)?;
        Self::open_as(files.into(), dialects, Rc::clone(dialect), options)
    }

    /// The same with a dialect that is not among the known ones.
    fn open_as(
        files: Rc<dyn Files>,
        dialects: &Dialects,
        dialect: Rc<Dialect>,
        options: Options,
    ) -> Result<Self, CatalogError> {
        let capacity = NonZeroUsize::new(options.cache_capacity as usize).unwrap_or(NonZeroUsize::MIN);
        let mut catalog = Self {
            files,
            dialects: dialects.clone(),
            in_plugins: dialect
                .at(Level::Plugin)
                .map_or_else(|| Rc::clone(&dialect), Rc::new),
            in_settings: if dialect.sources.iter().any(|source| source.file_key.is_some()) {
                Rc::new(dialect.named_by_settings())
            } else {
                Rc::clone(&dialect)
            },
            slots: slots::slots(&dialect, &options.project),
            dialect,
            options,
            visits: Vec::new(),
            items: Vec::new(),
            ranking: Ranking::default(),
            winning: BTreeMap::new(),
            cache: LruCache::new(capacity),
            counters: Counters::default(),
            reserved: Reserved::default(),
            offered: Rc::default(),
            outside: Vec::new(),
        };
        catalog.add_fixed()?;
        catalog.refresh();
        Ok(catalog)
    }

    /// The built-in and the inline agents, which never change.
    fn add_fixed(&mut self) -> Result<(), CatalogError> {
        for slot in 0..self.slots.len() {
            match self.slots[slot].level {
                Level::BuiltIn => {
                    let dialect = Rc::clone(&self.dialect);
                    for built_in in &dialect.built_ins {
                        let bytes = built_in.text.as_bytes();
                        let document = document::read(&built_in.file, bytes, None, &dialect, &self.dialects);
                        let mut item = Item::fixed(slot, document);
                        // Users cannot fix built-in agents, so nothing is reported about them.
                        item.diagnostics.clear();
                        self.items.push(item);
                    }
                }
                Level::CommandLine if self.slots[slot].directory.is_none() => {
                    let inline = self.options.project.inline.as_deref().unwrap_or("{}");
                    let documents =
                        document::read_inline(inline, &self.dialect).map_err(CatalogError::BadInline)?;
                    self.items
                        .extend(documents.into_iter().map(|document| Item::fixed(slot, document)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the sources again where they changed, and returns the differences, sorted by name.
    pub fn refresh(&mut self) -> Vec<Change> {
        self.read(None)
    }

    /// The same with other plugins of the project itself.
    pub(crate) fn refresh_with(&mut self, own: Vec<Plugin>) -> Vec<Change> {
        let mut plugins = self.options.project.plugins.clone();
        plugins.retain(|plugin| !plugin.is_own);
        plugins.extend(own);
        let before = (plugins != self.options.project.plugins).then(|| {
            let before = self.holders();
            self.replace_plugins(plugins);
            before
        });
        self.read(before)
    }

    /// Reads what differs. `before` is what the names meant before the sources were replaced.
    fn read(&mut self, before: Option<BTreeMap<String, change::Holder>>) -> Vec<Change> {
        let looks = scan::look(
            &*self.files,
            &self.dialects,
            &self.dialect,
            &self.slots,
            self.options.check,
        );
        let first = self.visits.is_empty();
        let winning = self.winning_skills();
        let is_same = winning == self.winning;
        if !first && is_same && before.is_none() && !scan::differs(&self.visits, &self.items, &looks) {
            return Vec::new();
        }
        let before = before.unwrap_or_else(|| self.holders());
        self.winning = winning;
        let mut known: HashMap<(usize, Rc<str>), Item> = HashMap::new();
        let mut fixed: Vec<Vec<Item>> = self.slots.iter().map(|_| Vec::new()).collect();
        let mut items = Vec::with_capacity(self.items.len());
        for item in core::mem::take(&mut self.items) {
            match &item.path {
                Some(path) => {
                    known.insert((item.slot, Rc::clone(path)), item);
                }
                None => fixed[item.slot].push(item),
            }
        }
        let (visits, files): (Vec<_>, Vec<_>) =
            looks.into_iter().map(|look| (look.visit, look.files)).unzip();
        let before_it = core::mem::replace(&mut self.visits, visits);
        for (slot, files) in files.into_iter().enumerate() {
            match &self.visits[slot].settings {
                Some(contents) => {
                    let documents = configured::documents(&self.slots[slot], contents, &self.in_settings);
                    items.extend(documents.into_iter().map(|document| Item {
                        stamp: configured::stamp(&document.definition),
                        ..Item::fixed(slot, document)
                    }));
                }
                None if self.slots[slot].keys.is_empty() => items.append(&mut fixed[slot]),
                None => {}
            }
            for (path, stamp) in files {
                let old = known.remove(&(slot, Rc::clone(&path)));
                // What a file lacks is in the settings that name it.
                let is_same = |visit: &scan::Visit| visit.named == self.visits[slot].named;
                let is_current = before_it.get(slot).is_some_and(is_same);
                let item = match old.filter(|item| is_current && item.is_current(stamp)) {
                    Some(item) => item,
                    None => self.load(slot, path, stamp),
                };
                items.push(item);
            }
        }
        self.items = items;
        self.rank();
        if first {
            return Vec::new();
        }
        self.changes(&before)
    }

    fn load(&mut self, slot: usize, path: Rc<str>, stamp: Stamp) -> Item {
        match self.files.read(&path) {
            Ok(bytes) => {
                self.counters.parsed += 1;
                self.counters.bytes += bytes.len() as u64;
                let at = &self.slots[slot];
                let checked_at = self.options.check.then_some(at.level);
                let named = self.visits.get(slot).map_or(&[][..], |visit| &visit.named);
                let named = named.iter().find(|file| file.path == path);
                let dialect = match at.level {
                    _ if named.is_some() => &self.in_settings,
                    Level::Plugin => &self.in_plugins,
                    _ => &self.dialect,
                };
                let mut document = document::read(&path, &bytes, checked_at, dialect, &self.dialects);
                if let Some(named) = named {
                    named.complete(&mut document);
                }
                for key in &dialect.keys {
                    if key.ignored_at.contains(&at.level) {
                        document.definition.forget(key.field);
                    }
                }
                let (item, definition) = Item::of_file(slot, at, &path, stamp, document);
                self.cache.put(path, (slot, stamp, Rc::new(definition)));
                item
            }
            Err(error) => Item::unreadable(slot, path, stamp, &error, &self.dialect),
        }
    }

    fn rank(&mut self) {
        if self.dialect.clash == Clash::Prefixed {
            self.prefix_names();
        }
        let is_taken = |name: &str| self.winning.contains_key(name);
        self.ranking = Ranking::new(&self.dialect, &self.items, self.fails_closed(), &is_taken);
    }

    /// Gives definitions that share a name those that they are called by.
    fn prefix_names(&mut self) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let prefix = |item: &Item| &*self.slots[item.slot].clash_prefix;
        for item in &mut self.items {
            if let Some(shared) = item.shared.take() {
                item.name = shared;
            }
            if item.outcome.loads() && !prefix(item).is_empty() {
                *counts.entry(item.name.clone()).or_default() += 1;
            }
        }
        for item in &mut self.items {
            let prefix = prefix(item);
            let is_shared = counts.get(&item.name).is_some_and(|count| *count > 1);
            if is_shared && item.outcome.loads() && !prefix.is_empty() {
                let name = [prefix, &*item.name].concat();
                item.shared = Some(core::mem::replace(&mut item.name, name));
            }
        }
    }

    /// The definitions that share this name, in order of precedence. None is called by it.
    fn sharing(&self, name: &str) -> Vec<usize> {
        let slots = self.slots.iter().rev();
        let named = slots.flat_map(|slot| {
            let called = [&*slot.clash_prefix, name].concat();
            self.ranking.named(&self.items, &called)
        });
        let is_its = |index: &&usize| self.items[**index].shared.as_deref() == Some(name);
        named.filter(is_its).copied().collect()
    }

    /// Whether a broken file that would have won leaves its name without an agent.
    fn fails_closed(&self) -> bool {
        self.options.project.fail_closed || self.dialect.broken_keeps_name
    }

    /// Keeps what was found in the sources that stay.
    fn replace_plugins(&mut self, plugins: Vec<Plugin>) {
        self.options.project.plugins = plugins;
        self.cache.clear();
        let slots = slots::slots(&self.dialect, &self.options.project);
        let old = core::mem::replace(&mut self.slots, slots);
        let now = |slot: usize| self.slots.iter().position(|new| *new == old[slot]);
        self.items.retain_mut(|item| {
            let now = now(item.slot);
            item.slot = now.unwrap_or(item.slot);
            now.is_some()
        });
        let visits = core::mem::take(&mut self.visits);
        let mut kept: Vec<scan::Visit> = self.slots.iter().map(|_| scan::Visit::default()).collect();
        for (slot, visit) in visits.into_iter().enumerate() {
            if let Some(now) = now(slot) {
                kept[now] = visit;
            }
        }
        self.visits = kept;
    }

    /// Adds a definition that is in no file.
    pub fn register(&mut self, name: &str, contents: &str) -> Result<(), CatalogError> {
        let programmatic = |slot: &Slot| slot.level == Level::Programmatic;
        let slot = self.slots.iter().position(programmatic);
        let slot = slot.expect("every dialect has a place for what the host registers");
        let document: Document =
            document::read(name, contents.as_bytes(), None, &self.dialect, &self.dialects);
        match document.outcome {
            Outcome::Loads | Outcome::Withheld(_) => {}
            Outcome::Dropped(reason) | Outcome::NotAnAgent(reason) => {
                return Err(CatalogError::Unusable(reason));
            }
        }
        let mut item = Item::fixed(slot, document);
        item.rename(name);
        if self
            .items
            .iter()
            .any(|other| other.slot == slot && other.name == item.name)
        {
            return Err(CatalogError::Registered(item.name));
        }
        let end = self.items.partition_point(|other| other.slot <= slot);
        self.items.insert(end, item);
        self.rank();
        Ok(())
    }

    /// Reserves a tool for the agent: others get it only if it is reserved for them, too.
    pub fn reserve(&mut self, name: &str, tool: &str) {
        self.reserved.add(name, tool);
    }

    pub(crate) fn reserved(&self) -> &Reserved {
        &self.reserved
    }

    /// The dialect.
    pub fn dialect(&self) -> &Rc<Dialect> {
        &self.dialect
    }

    pub(crate) fn files(&self) -> &Rc<dyn Files> {
        &self.files
    }

    pub(crate) fn dialects(&self) -> &Dialects {
        &self.dialects
    }

    pub(crate) fn project(&self) -> &Project {
        &self.options.project
    }

    /// The active names, sorted.
    pub fn names(&self) -> Vec<String> {
        let active = self.ranking.active(&self.items);
        active.map(|item| item.name.clone()).collect()
    }

    /// The active definitions, sorted by name; with `all`, the others too, each after the active one.
    pub fn entries(&self, all: bool) -> Vec<Entry> {
        let kept = |standing| all || standing == Standing::Active;
        self.ranking
            .order()
            .filter(|(_, standing)| kept(*standing))
            .map(|(index, _)| self.entry(index))
            .collect()
    }

    /// The active definition of this name, or of the name that others call it by, with its origin.
    pub fn get(&mut self, name: &str) -> Option<(Rc<Definition>, Origin)> {
        let named = self.ranking.winner(&self.items, name);
        let winner = named.or_else(|| self.titled(name))?;
        let origin = self.origin(winner);
        let mut definition = self.definition(winner);
        let item = &self.items[winner];
        if item.shared.is_some() {
            Rc::make_mut(&mut definition).name.clone_from(&item.name);
        }
        if self.dialect.clash == Clash::Merge {
            let weaker = self.ranking.weaker(&self.items, winner).into_iter();
            let weaker: Vec<Rc<Definition>> = weaker.map(|index| self.definition(index)).collect();
            let mut merged = (*definition).clone();
            for other in &weaker {
                merged.fill_from((**other).clone());
            }
            let files = [&definition].into_iter().chain(&weaker).map(|file| &**file);
            permissions::merge(&mut merged, files);
            definition = Rc::new(merged);
        }
        Some((definition, origin))
    }

    /// The first active definition that others call by this display name.
    fn titled(&self, title: &str) -> Option<usize> {
        let mut active = self.ranking.order().filter(|_| self.has_titles());
        let (index, _) = active.find(|(index, standing)| {
            *standing == Standing::Active && self.items[*index].title.as_deref() == Some(title)
        })?;
        Some(index)
    }

    /// Whether display names are names, too.
    fn has_titles(&self) -> bool {
        let is_skill = self.dialect.kind != Kind::Agent;
        self.dialect.delegation.titles || is_skill && self.dialect.skill_title.is_some()
    }

    /// The active definitions that have another display name, which is a name of theirs, too.
    pub(crate) fn titles(&self) -> impl Iterator<Item = (&str, &str)> {
        let active = self.ranking.active(&self.items).filter(|_| self.has_titles());
        active.filter_map(|item| Some((item.title.as_deref()?, &*item.name)))
    }

    fn definition(&mut self, index: usize) -> Rc<Definition> {
        let item = &self.items[index];
        let Some(path) = item.path.clone() else {
            return item.fixed.clone().unwrap_or_default();
        };
        let (slot, stamp) = (item.slot, item.stamp);
        if let Some((of, cached, definition)) = self.cache.get(&path)
            && (*of, *cached) == (slot, stamp)
        {
            self.counters.hits += 1;
            return Rc::clone(definition);
        }
        self.counters.misses += 1;
        let item = self.load(slot, Rc::clone(&path), stamp);
        let definition = self
            .cache
            .get(&path)
            .map(|(.., definition)| Rc::clone(definition));
        // After a file vanished, the list remains until the next refresh.
        definition.unwrap_or_else(|| Rc::new(item.brief()))
    }

    /// The locations with what was found there, the lowest precedence first.
    pub fn visited(&self) -> Vec<Visited> {
        let of_slot = |slot| self.items.iter().filter(|item| item.slot == slot).count();
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(index, slot)| {
                Some(Visited {
                    location: slot.location()?,
                    presence: self.visits[index].presence,
                    files: u32::try_from(of_slot(index)).unwrap_or(u32::MAX),
                })
            })
            .collect()
    }

    /// The innermost location that contains a path.
    pub(crate) fn location_of(&self, path: &str) -> Option<Location> {
        let locations = self.slots.iter().filter_map(Slot::location);
        let around = locations.filter(|location| is_within(path, &location.directory));
        around.max_by_key(|location| location.directory.len())
    }

    /// All findings in the files and between them: those that are left, and those that comments suppress. Each is sorted by path and place.
    pub fn findings(&self) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let files = self.items.iter().flat_map(|item| item.diagnostics.iter());
        let directories = self.visits.iter().flat_map(|visit| visit.diagnostics.iter());
        let mut all: Vec<Diagnostic> = files.chain(directories).cloned().collect();
        let (left, suppressed) = self.parted();
        all.extend(left);
        (diagnostic::sorted(all), self.suppressed_with(suppressed))
    }

    /// All findings that are not suppressed.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings().0
    }

    /// All suppressed findings.
    pub fn suppressed(&self) -> Vec<Diagnostic> {
        // Otherwise none between files is.
        if self.with_comments().next().is_some() {
            self.findings().1
        } else {
            self.suppressed_with(Vec::new())
        }
    }

    /// The suppressed findings in the files, and these between them.
    fn suppressed_with(&self, between: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let files = self.items.iter().flat_map(|item| item.suppressed.iter());
        diagnostic::sorted(files.cloned().chain(between).collect())
    }

    /// What the catalog did so far.
    pub fn counters(&self) -> Counters {
        let files = self.items.iter().filter(|item| item.path.is_some()).count();
        Counters {
            files: u32::try_from(files).unwrap_or(u32::MAX),
            cached: u32::try_from(self.cache.len()).unwrap_or(u32::MAX),
            ..self.counters
        }
    }

    /// The winner of each name, to compare with the next refresh.
    fn holders(&self) -> BTreeMap<String, change::Holder> {
        self.ranking.holders(&self.items, |index| self.origin(index))
    }

    fn changes(&self, before: &BTreeMap<String, change::Holder>) -> Vec<Change> {
        change::changes(before, &self.holders())
    }
}
