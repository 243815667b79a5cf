//! What skills and commands name: agents of the same tool, and files beside them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::opened::{Opened, Opener, Used};
use super::tops::Top;
use super::walk::{Home, Owned, Wanted, walk};
use crate::cast::{Cast, Member};
use crate::catalog::{Catalog, CatalogError};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, Kind, Level};
use crate::document::{self, Document};
use crate::files::Files;
use crate::offered::Offered;
use crate::places::{is_within, normal};
use crate::references::{self, Reference};
use crate::rules;

/// The catalogs of a project that know what their files name elsewhere.
pub(super) struct Catalogs<'a> {
    pub(super) all: Vec<Opened<'a>>,
    /// Agents of the project directory that are only named, by dialect.
    others: BTreeMap<String, Catalog>,
    /// The agents, by dialect and directory.
    agents: BTreeMap<String, usize>,
    offered: Offers,
}

impl<'a> Catalogs<'a> {
    /// The catalogs of all files with an owner, of the tools in use, and of the targets.
    pub(super) fn open(
        opener: &Opener<'a>,
        top: &Top,
        owned: &[Owned<'a>],
        used: &Used<'a>,
    ) -> Result<Self, CatalogError> {
        let mut all = opener.all(top, owned, used)?;
        let offered = offer(opener, top, owned, &mut all)?;
        let mut agents = BTreeMap::new();
        for (at, opened) in all.iter().enumerate() {
            if let (Home::Directory(directory), Kind::Agent) = (&opened.home, opened.dialect.kind) {
                agents.insert(key(&opened.dialect.id, directory), at);
            }
        }
        let mut this = Self {
            all,
            others: BTreeMap::new(),
            agents,
            offered,
        };
        for at in 0..this.all.len() {
            let Opened { dialect, home, .. } = &this.all[at];
            let needs = this.all[at].catalog.refers_outside() && this.agents(at).is_none();
            // A format without agents names none.
            if let (true, Home::Directory(_), Ok(dialect)) = (needs, home, opener.dialects.get(&dialect.id)) {
                let here = Home::Directory(top.directory.clone());
                let agents = opener.open(opener.options(top, dialect, &here))?;
                this.others.insert(dialect.id.clone(), agents);
            }
        }
        let mut files = Existing::new(opener, top);
        for at in 0..this.all.len() {
            let Opened { dialect, catalog, .. } = &this.all[at];
            if catalog.refers_outside() {
                let mut found = catalog.missing_files(&mut |path| files.has(path));
                if opener.dialects.get(&dialect.id).is_ok() {
                    found.extend(catalog.unknown_agents(this.agents(at)));
                }
                this.all[at].catalog.add(found);
            }
        }
        Ok(this)
    }

    /// The agents that the files of a catalog name: those of the innermost directory around it, which include those of the directories
    /// above. None for a plugin: where it is installed, there are other agents.
    pub(super) fn agents(&self, at: usize) -> Option<&Catalog> {
        let Opened {
            dialect,
            home,
            catalog,
        } = &self.all[at];
        let Home::Directory(directory) = home else {
            return (dialect.kind == Kind::Agent).then_some(catalog);
        };
        let above = core::iter::successors(Some(&**directory), |path| Some(path.rsplit_once('/')?.0));
        let mut above = above.chain(["."]);
        let innermost = above.find_map(|path| self.agents.get(&key(&dialect.id, path)));
        let innermost = innermost.map(|at| &self.all[*at].catalog);
        innermost.or_else(|| self.others.get(&dialect.id))
    }
}

/// Tells each catalog what the project's plugins offer: all of them, even if only some files are checked.
fn offer(
    opener: &Opener<'_>,
    top: &Top,
    owned: &[Owned<'_>],
    all: &mut [Opened<'_>],
) -> Result<Offers, CatalogError> {
    let is_asked = all.iter().any(|opened| opened.catalog.refers_to_plugins());
    if !is_asked && !owned.iter().any(Owned::is_alone) {
        return Ok(Offers::new());
    }
    let home = opener.project.home.as_deref();
    let whole = match top.wanted.is_everything() {
        true => Vec::new(),
        false => {
            let files = &**opener.files;
            walk(files, opener.dialects, home, &top.directory, &Wanted::default()).owned
        }
    };
    let owned = if top.wanted.is_everything() { owned } else { &whole };
    let mut opened: BTreeMap<String, usize> = BTreeMap::new();
    for (at, it) in all.iter().enumerate() {
        if let Home::Plugin(plugin, place) = &it.home {
            opened.insert(of_plugin(it.dialect, plugin, place), at);
        }
    }
    // Elsewhere, names do not tell the plugin.
    let of_plugins = owned.iter().filter(|owned| owned.owner.plugin_prefix);
    let (mut offered, mut seen) = (BTreeMap::<String, Offered>::new(), BTreeSet::new());
    for owned in of_plugins {
        let Home::Plugin(plugin, place) = &owned.home else {
            continue;
        };
        let kind = owned.owner.kind;
        let is_alone = owned.is_alone();
        let key = of_plugin(owned.owner, plugin, place);
        if !is_alone && !seen.insert(key.clone()) {
            continue;
        }
        let names = match opened.get(&key) {
            _ if is_alone => {
                let document = read(opener, owned);
                let name = document.map(|document| full_name(owned, &document.definition.name));
                name.into_iter().collect()
            }
            Some(at) => all[*at].catalog.names(),
            None => {
                let options = opener.options(top, owned.owner, &owned.home);
                opener.open(options)?.names()
            }
        };
        let offered = offered.entry(owned.owner.id.clone()).or_default();
        offered.add(kind, plugin, names);
    }
    let offered = offered.into_iter().map(|(id, it)| (id, Rc::new(it)));
    let offered: Offers = offered.collect();
    for opened in all {
        if let Some(offered) = offered.get(&opened.dialect.id) {
            opened.catalog.offer(offered);
        }
    }
    Ok(offered)
}

fn key(id: &str, place: &str) -> String {
    [id, place].join("\n")
}

fn of_plugin(dialect: &Dialect, plugin: &str, place: &str) -> String {
    [&dialect.id, dialect.kind.noun(), plugin, place].join("\n")
}

/// What the project's plugins offer, by dialect.
type Offers = BTreeMap<String, Rc<Offered>>;

fn read(opener: &Opener<'_>, owned: &Owned<'_>) -> Option<Document> {
    let bytes = opener.files.read(&owned.path).ok()?;
    let level = owned.home.level().unwrap_or(Level::Project);
    let document = document::read(&owned.path, &bytes, Some(level), owned.owner, opener.dialects);
    Some(document)
}

fn full_name(owned: &Owned<'_>, name: &str) -> String {
    match &owned.home {
        Home::Plugin(plugin, _) if owned.owner.plugin_prefix => format!("{plugin}:{name}"),
        _ => name.to_string(),
    }
}

/// A file that no catalog has.
pub(super) struct Alone<'a> {
    pub(super) owned: &'a Owned<'a>,
    name: String,
    document: Document,
    offered: Rc<Offered>,
}

impl<'a> Alone<'a> {
    /// None if it cannot be read.
    pub(super) fn read(opener: &Opener<'_>, owned: &'a Owned<'a>, catalogs: &Catalogs<'_>) -> Option<Self> {
        let document = read(opener, owned)?;
        let offered = catalogs.offered.get(&owned.owner.id);
        Some(Self {
            owned,
            name: full_name(owned, &document.definition.name),
            document,
            offered: offered.cloned().unwrap_or_default(),
        })
    }

    /// Its name, in its plugin.
    pub(super) fn name(&self) -> String {
        self.name.clone()
    }

    /// What it names. Its surroundings are elsewhere, but for the files beside it.
    pub(super) fn references(&self, exists: &mut dyn FnMut(&str) -> bool) -> Vec<Reference> {
        references::of(&self.cast(), None, exists)
    }

    /// The findings about what it names: those that are left, and those that comments in it suppress.
    pub(super) fn findings(
        &self,
        exists: &mut dyn FnMut(&str) -> bool,
    ) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let mut found = Vec::new();
        rules::missing_file::check(&self.cast(), exists, &mut found);
        rules::unknown_agent::between(&self.cast(), None, &mut found);
        let is_left = |found: &Diagnostic| {
            let mut ignores = self.document.ignores.iter();
            !ignores.any(|ignore| ignore.is_about(found.rule, found.primary.place.span))
        };
        found.into_iter().partition(is_left)
    }

    fn cast(&self) -> Cast<'_> {
        Cast {
            dialect: self.owned.owner,
            members: vec![Member {
                name: &self.name,
                description: &self.document.definition.description,
                path: Some(&self.owned.path),
                at: self.document.anchor,
                mentions: &self.document.mentions,
            }],
            broken: Vec::new(),
            skills: None,
            servers: None,
            offered: &self.offered,
        }
    }
}

/// What there is beside the files of a project.
pub(super) struct Existing<'a> {
    files: &'a dyn Files,
    project: &'a str,
    /// The names of the entries of each folder that was looked at.
    folders: BTreeMap<String, BTreeSet<String>>,
}

impl<'a> Existing<'a> {
    pub(super) fn new(opener: &Opener<'a>, top: &'a Top) -> Self {
        Self {
            files: &**opener.files,
            project: &top.directory,
            folders: BTreeMap::new(),
        }
    }

    /// Whether there is something at a path; whatever is outside of the project is not looked for.
    pub(super) fn has(&mut self, path: &str) -> bool {
        let path = normal(path);
        if !is_within(&path, self.project) || path == self.project {
            return true;
        }
        let (folder, name) = path.rsplit_once('/').unwrap_or((".", &path));
        let names = self.folders.entry(folder.to_string()).or_insert_with(|| {
            let entries = self.files.list(folder).unwrap_or_default();
            entries.into_iter().map(|entry| entry.name).collect()
        });
        names.contains(name)
    }
}
