//! Finds the files of a project that may be agents, skills or commands, and the owner of each.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::listed::Existing;
use super::manifests;
use super::named::Named;
use super::patterns::{PASSED_OVER, Tree};
use super::plugins::{self, Known, Plugin};
use super::settings::{self, Settings};
use super::{evals, instructions};
use crate::diagnostic::{Diagnostic, Place};
use crate::dialect::{Dialect, Dialects, Kind, Level};
use crate::files::{FileError, FileKind, Files, Surroundings, join};
use crate::limits::{DIRECTORY_DEPTH, SOURCE_FILES};
use crate::listing::{dead_link, no_file, too_many_files, unreadable_directory};
use crate::order::{self, sorted};
use crate::places::{below, directory, file_name, is_within, normal};
use crate::references::Server;
use crate::rules;

/// The paths to report on; everything if there are none.
#[derive(Debug, Default)]
pub(super) struct Wanted(BTreeSet<String>);

impl Wanted {
    pub(super) fn add(&mut self, path: &str) {
        self.0.insert(path.to_string());
    }

    pub(super) fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this very path is wanted.
    pub(super) fn names(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// Whether a path is wanted or below a wanted one.
    pub(super) fn covers(&self, path: &str) -> bool {
        let mut above = core::iter::successors(Some(path), |path| Some(path.rsplit_once('/')?.0));
        let is_here = || self.0.contains(".") && is_within(path, ".");
        self.is_everything() || above.any(|path| self.0.contains(path)) || is_here()
    }

    /// Whether something in a directory is wanted.
    pub(super) fn touches(&self, directory: &str) -> bool {
        self.covers(directory) || self.leads_below(directory)
    }

    /// Whether a wanted path is below a directory.
    fn leads_below(&self, directory: &str) -> bool {
        if directory == "." {
            return self.0.iter().any(|path| is_within(path, "."));
        }
        let start = [directory, "/"].concat();
        let next = self.0.range(start.clone()..).next();
        next.is_some_and(|next| next.starts_with(&start))
    }
}

/// The result of a walk, sorted by path.
#[derive(Debug, Default)]
pub(super) struct Ground<'a> {
    /// Files with an owner.
    pub(super) owned: Vec<Owned<'a>>,
    /// Markdown files without an owner.
    pub(super) unowned: Vec<String>,
    /// Markdown files in a dialect's directory that the dialect does not read.
    pub(super) unread: Vec<String>,
    /// What is wrong with settings and instructions, and whose files they are.
    pub(super) settings: Vec<(&'a Dialect, Diagnostic)>,
    /// Settings, instructions and manifests that were checked.
    pub(super) others: BTreeSet<String>,
    /// What these name.
    pub(super) names: Vec<Named<'a>>,
    /// The MCP servers that settings configure, and whose they are.
    pub(super) servers: Vec<(&'a Dialect, Server)>,
    /// Plugins with a name.
    pub(super) plugins: Vec<Known<'a>>,
    /// Files that configure hooks or servers, and whose they are. Those that a manifest names need not exist.
    pub(super) hooking: Vec<(&'a Dialect, String)>,
    /// What could not be listed, and manifests that could not be read.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Whether there are more files than the limit.
    pub(super) is_cut: bool,
}

impl Ground<'_> {
    fn len(&self) -> usize {
        self.owned.len() + self.unowned.len() + self.unread.len()
    }
}

/// A file that is one dialect's by its place or form.
#[derive(Clone, Debug)]
pub(super) struct Owned<'a> {
    pub(super) path: String,
    pub(super) owner: &'a Dialect,
    pub(super) home: Home,
}

impl Owned<'_> {
    /// Whether it is checked without a catalog: only its form tells what it is, or a plugin declares this very file.
    pub(super) fn is_alone(&self) -> bool {
        match &self.home {
            Home::Plugin(_, place) => *place == self.path,
            Home::Form => true,
            Home::Directory(_) => false,
        }
    }
}

/// Why a dialect owns a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    /// It is in a directory that the dialect owns in this project directory.
    Directory(String),
    /// It is one of a plugin's agents: the plugin's name and the folder or file that its manifest declares.
    Plugin(String, String),
    /// Its extension is only the dialect's, or it is a link: no catalog has it.
    Form,
}

impl Home {
    /// The kind of source, if it is not the project itself.
    pub(super) fn level(&self) -> Option<Level> {
        matches!(self, Self::Plugin(..)).then_some(Level::Plugin)
    }
}

/// Walks `top` along the `wanted` paths and below them, or all of it if none is wanted. The `home` directory is left out: hosts with
/// files in memory have it among the others.
pub(super) fn walk<'a>(
    files: &dyn Files,
    dialects: &'a Dialects,
    home: Option<&str>,
    top: &str,
    wanted: &Wanted,
) -> Ground<'a> {
    let mut walk = Walk {
        files,
        dialects,
        home,
        top,
        wanted,
        plugins: BTreeMap::new(),
        bare: BTreeMap::new(),
        existing: Existing::new(files, top),
        tree: Tree::new(files, top),
        settings: BTreeSet::new(),
        ground: Ground::default(),
    };
    walk.visit(top, 0);
    let mut ground = walk.ground;
    if ground.is_cut {
        ground.diagnostics.push(too_many_files(top));
    }
    ground.owned = sorted(ground.owned, |a, b| a.path.cmp(&b.path));
    ground.unowned = order::names(ground.unowned);
    ground.unread = order::names(ground.unread);
    ground
}

struct Walk<'a, 'w> {
    files: &'w dyn Files,
    dialects: &'a Dialects,
    home: Option<&'w str>,
    top: &'w str,
    wanted: &'w Wanted,
    /// By the folders and files that they declare.
    plugins: BTreeMap<String, (&'a Dialect, String)>,
    /// Whether a directory with a common name such as `agents` is its dialect's, by directory.
    bare: BTreeMap<String, bool>,
    existing: Existing<'w>,
    tree: Tree<'w>,
    /// The files that configure hooks and were checked.
    settings: BTreeSet<String>,
    ground: Ground<'a>,
}

impl<'a> Walk<'a, '_> {
    fn visit(&mut self, path: &str, depth: usize) {
        let entries = match self.files.list(path) {
            Ok(entries) => entries,
            Err(FileError::NotADirectory) if depth == 0 => return self.file(path.to_string()),
            Err(FileError::NotFound) if depth == 0 => return,
            Err(error) => {
                if self.is_wanted(path) {
                    self.ground.diagnostics.push(unreadable_directory(path, &error));
                }
                return;
            }
        };
        // The checkout of another project: a submodule, or a worktree that a tool made.
        let is_link = |name: &str, kind| name == ".git" && kind == FileKind::File;
        if depth > 0 && entries.iter().any(|entry| is_link(&entry.name, entry.kind)) {
            return;
        }
        let declared = plugins::declared(self.files, self.dialects, self.top, path, &entries);
        let manifests = manifests::found(self.files, &mut self.existing, self.dialects, path, &entries);
        let read = manifests.read.into_iter().filter(|path| self.is_wanted(path));
        let read: Vec<String> = read.collect();
        self.ground.others.extend(read);
        // One that cannot be read may be why a file has no owner.
        let is_about = |found: &Diagnostic| {
            found.rule == rules::invalid_manifest::RULE.name || self.is_wanted(&found.primary.place.path)
        };
        let problems: Vec<Diagnostic> = declared
            .diagnostics
            .into_iter()
            .chain(manifests.diagnostics)
            .filter(is_about)
            .collect();
        self.ground.diagnostics.extend(problems);
        self.name(declared.names);
        self.ground.plugins.extend(declared.known);
        self.name(manifests.names);
        declared
            .plugins
            .into_iter()
            .chain(manifests.plugins)
            .for_each(|plugin| self.declare(plugin));
        for entry in entries {
            if self.ground.len() >= SOURCE_FILES {
                self.ground.is_cut = true;
                return;
            }
            let below = join(path, &entry.name);
            let is_left_out = PASSED_OVER.contains(&&*entry.name) || self.home == Some(&*below);
            let is_open = depth < DIRECTORY_DEPTH && !is_left_out;
            match entry.kind {
                FileKind::Directory if is_open && (self.is_wanted(&below) || self.leads_on(&below)) => {
                    self.visit(&below, depth + 1);
                }
                FileKind::Directory => {}
                _ if !self.is_wanted(&below) => {}
                FileKind::File => self.file(below),
                // A link that the user names is trusted.
                FileKind::Link if self.wanted.names(&below) => self.link(below),
                FileKind::Link if self.is_read(&below) => self.ground.diagnostics.push(dead_link(&below)),
                FileKind::Other if self.is_read(&below) => self.ground.diagnostics.push(no_file(&below)),
                FileKind::Link | FileKind::Other => {}
            }
        }
    }

    /// Keeps what wanted files name.
    fn name(&mut self, names: Vec<Named<'a>>) {
        let wanted = self.wanted;
        let is_wanted = |named: &Named<'_>| wanted.covers(&named.place.path);
        self.ground.names.extend(names.into_iter().filter(is_wanted));
    }

    /// A place belongs to the first manifest that declares it.
    fn declare(&mut self, plugin: Plugin<'a>) {
        for settings in &plugin.settings {
            // The project's own servers are among its settings.
            let own = settings::at(self.dialects, &settings.path, self.top);
            if !own.is_some_and(|own| own.has_servers(&mut self.existing)) {
                self.settings(settings);
            }
        }
        for (kind, place) in plugin.places {
            let name = plugin.name.clone();
            if let Ok(dialect) = self.dialects.get_for(&plugin.dialect.id, kind) {
                self.plugins.entry(place).or_insert((dialect, name));
            }
        }
    }

    /// A file that configures hooks.
    fn settings(&mut self, settings: &Settings<'a>) {
        if self.is_wanted(&settings.path) && self.settings.insert(settings.path.clone()) {
            if settings.is_read(&mut self.existing) {
                let hooking = (settings.dialect, settings.path.clone());
                self.ground.hooking.push(hooking);
            }
            if self.existing.has(&settings.path) {
                self.ground.others.insert(settings.path.clone());
            }
            let read = settings.check(self.files, &mut self.existing);
            let found = read.diagnostics.into_iter();
            self.ground
                .settings
                .extend(found.map(|found| (settings.dialect, found)));
            let servers = read.servers.into_iter();
            self.ground
                .servers
                .extend(servers.map(|server| (settings.dialect, server)));
            self.name(read.names);
        }
    }

    fn file(&mut self, path: String) {
        if let Some(settings) = settings::at(self.dialects, &path, self.top) {
            return self.settings(&settings);
        }
        if evals::are_at(&path) {
            let names = evals::names(self.files, &mut self.existing, self.dialects, &path);
            return self.name(names);
        }
        if let Some((owner, rules)) = instructions::owner(self.dialects, &path, self.top) {
            self.ground.others.insert(path.clone());
            let mut reader = instructions::Reader {
                files: self.files,
                existing: &mut self.existing,
                tree: &mut self.tree,
            };
            let found = reader.check(owner, rules, &path);
            let is_meant = |found: &Diagnostic| self.wanted.covers(&found.primary.place.path);
            let diagnostics = found.diagnostics.into_iter().filter(is_meant);
            let diagnostics = diagnostics.map(|found| (owner, found));
            self.ground.settings.extend(diagnostics);
            self.name(found.names);
        }
        let name = file_name(&path);
        match self.owner(&path) {
            Some((owner, home)) if owner.reads(name) => {
                if let Home::Directory(base) = &home {
                    let found = rules::unread_file::misplaced(owner, base, &path);
                    self.ground.diagnostics.extend(found);
                }
                self.ground.owned.push(Owned { path, owner, home });
            }
            Some((owner, _)) if owner.kind == Kind::Agent && name.ends_with(".md") => {
                self.ground.unread.push(path);
            }
            // Notes beside a skill have no owner.
            _ if name.ends_with(".md") => self.ground.unowned.push(path),
            _ => {}
        }
    }

    /// A link that no catalog follows: it is checked on its own.
    fn link(&mut self, path: String) {
        match self.owner(&path) {
            Some((owner, _)) if owner.reads(file_name(&path)) => self.ground.owned.push(Owned {
                path,
                owner,
                home: Home::Form,
            }),
            _ => self.file(path),
        }
    }

    /// The dialect that a file belongs to, and why: by a plugin's manifest, by its place, by its form.
    fn owner(&mut self, path: &str) -> Option<(&'a Dialect, Home)> {
        if let Some(found) = self.plugin(path) {
            return Some(found);
        }
        if let Some(found) = self.directory(path) {
            return Some(found);
        }
        Some((self.dialects.of_form(path)?, Home::Form))
    }

    fn directory(&mut self, path: &str) -> Option<(&'a Dialect, Home)> {
        // A name that only one product uses counts anywhere in the path, others only in the project itself.
        let is_unmistakable = |seen: &str| {
            let owner = self.dialects.owner(seen);
            owner.is_some_and(|owner| owner.has_name_of_its_own(seen))
        };
        let inside = below(self.top, path);
        // The name of the top may lead through such a directory and out of it again.
        let is_inside = inside.is_some_and(is_unmistakable) || !is_unmistakable(&normal(path));
        let (top, seen) = if is_inside {
            (self.top, inside?)
        } else {
            (".", path)
        };
        let owner = self.dialects.owner(seen)?;
        if !owner.has_name_of_its_own(seen) && !self.claims(owner, path) {
            return None;
        }
        let base = match owner.base(seen)? {
            "" => top.to_string(),
            base => join(top, base),
        };
        Some((owner, Home::Directory(base)))
    }

    fn plugin(&self, path: &str) -> Option<(&'a Dialect, Home)> {
        let mut place = path;
        loop {
            if let Some((dialect, name)) = self.plugins.get(place) {
                let home = Home::Plugin(name.clone(), place.to_string());
                return Some((dialect, home));
            }
            place = place.rsplit_once('/')?.0;
        }
    }

    /// Whether a directory with a common name contains a file that only this dialect would have.
    fn claims(&mut self, owner: &Dialect, path: &str) -> bool {
        let directory = directory(path);
        if let Some(known) = self.bare.get(directory) {
            return *known;
        }
        let claims = is_claimed(self.files, self.dialects, owner, directory);
        self.bare.insert(directory.to_string(), claims);
        claims
    }

    /// Whether the owner of the place would read a file of this name.
    fn is_read(&mut self, path: &str) -> bool {
        let owner = self.owner(path);
        owner.is_some_and(|(owner, _)| owner.reads(file_name(path)))
    }

    fn is_wanted(&self, path: &str) -> bool {
        self.wanted.covers(path)
    }

    /// Whether a wanted path is below a directory.
    fn leads_on(&self, directory: &str) -> bool {
        self.wanted.leads_below(directory)
    }
}

/// Whether a directory with a common name such as `agents` contains a file that only this dialect would have.
pub(super) fn is_claimed(files: &dyn Files, dialects: &Dialects, owner: &Dialect, directory: &str) -> bool {
    let entries = files.list(directory).unwrap_or_default();
    let mut read = entries
        .iter()
        .filter(|entry| entry.kind == FileKind::File && owner.reads(&entry.name));
    read.any(|entry| {
        let bytes = files.read(&join(directory, &entry.name)).unwrap_or_default();
        dialects.has_telling_key(owner, &String::from_utf8_lossy(&bytes))
    })
}

/// Markdown in `agents` folders may be meant as agents anywhere.
pub(super) fn passed_over(top: &str, unowned: &[String]) -> Option<Diagnostic> {
    let folders: BTreeSet<&str> = unowned
        .iter()
        .filter(|path| path.contains("/agents/") || path.starts_with("agents/"))
        .map(|path| directory(path))
        .collect();
    let meant = unowned
        .iter()
        .filter(|path| folders.contains(directory(path)))
        .count();
    let message = match meant {
        1 => "1 Markdown file in an `agents` folder was not checked".to_string(),
        _ => alloc::format!("{meant} Markdown files in `agents` folders were not checked"),
    };
    let mut diagnostic = Diagnostic::new(&rules::passed_over::RULE, Place::beginning(top), message);
    let first = folders.first()?;
    diagnostic.help = Some(alloc::format!(
        "no known tool reads them there; to check them, name the dialect: `callsheet check {first} --as DIALECT`"
    ));
    Some(diagnostic)
}

/// A file that may be an agent, a skill or a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The file.
    pub path: String,
    /// The dialect that owns it, after the kind of a skill or a command: `skill:codex`.
    pub dialect: Option<String>,
    /// The kind of its source, if its surroundings tell.
    pub level: Option<Level>,
}

/// The files at or below a path that may be agents, sorted, and findings of the walk.
pub fn discover(files: &dyn Files, dialects: &Dialects, path: &str) -> (Vec<Found>, Vec<Diagnostic>) {
    let ground = walk(files, dialects, None, path, &Wanted::default());
    let owned = ground.owned.into_iter().map(|owned| Found {
        level: owned.home.level(),
        dialect: Some(owned.owner.full_name()),
        path: owned.path,
    });
    let unowned = ground.unowned.into_iter().chain(ground.unread).map(|path| Found {
        path,
        dialect: None,
        level: None,
    });
    let found = sorted(owned.chain(unowned).collect(), |a, b| a.path.cmp(&b.path));
    (found, ground.diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wanted_path_touches_the_directories_above_it() {
        let mut wanted = Wanted::default();
        wanted.add("agents/a.md");
        for (directory, expected) in [
            ("agents", true),
            (".", true),
            ("agent", false),
            ("agents/b", false),
        ] {
            assert_eq!(wanted.touches(directory), expected, "{directory}");
        }
        let mut elsewhere = Wanted::default();
        elsewhere.add("../agents/a.md");
        assert!(!elsewhere.touches("."));
    }
}
