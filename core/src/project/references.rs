//! What files name: agents of the same tool, what the project's plugins offer, and files beside them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::OnceCell;

use callsheet_schema::stem;

use super::listed::Existing;
use super::named::{self, Named, NodeKind, Target};
use super::opened::{Opened, Opener, Used};
use super::tops::Top;
use super::walk::{Ground, Home, Owned, Wanted, walk};
use crate::cast::{Cast, Member};
use crate::catalog::{Catalog, CatalogError, Relation, Standing};
use crate::diagnostic::Diagnostic;
use crate::dialect::{Dialect, Kind, Level};
use crate::document::{self, Document};
use crate::files::{Files, Surroundings};
use crate::ignore::is_ignored;
use crate::offered::{Names, Offered, Verdict};
use crate::places::with_parents;
use crate::references::{self, Reference};
use crate::rules;

/// The catalogs of a project that know what their files name elsewhere.
pub(super) struct Catalogs<'a> {
    pub(super) all: Vec<Opened<'a>>,
    /// Agents of the project directory that are only named, by dialect.
    others: Vec<(String, Catalog)>,
    /// The agents, by dialect and directory.
    agents: BTreeMap<String, usize>,
    /// The asked files that no catalog has.
    pub(super) alone: Vec<Alone<'a>>,
    /// The servers that settings configure.
    servers: Vec<String>,
    /// What the project's plugins offer, by dialect.
    offered: Vec<(String, Rc<Offered>)>,
    /// What settings may name, listed when the first of them asks.
    names: OnceCell<BTreeSet<String>>,
}

impl<'a> Catalogs<'a> {
    /// The catalogs of all files with an owner, of the tools in use, and of the targets.
    pub(super) fn open(
        opener: &Opener<'a>,
        top: &Top,
        ground: &Ground<'a>,
        used: &Used<'a>,
    ) -> Result<Self, CatalogError> {
        let mut all = opener.all(top, &ground.owned, used)?;
        let alone = ground.owned.iter().filter(|owned| owned.is_alone());
        let mut alone = alone
            .filter_map(|owned| Alone::read(opener, owned))
            .collect::<Vec<_>>();
        let offered = offer(opener, top, ground, &mut all, &mut alone)?;
        let mut agents = BTreeMap::new();
        for (at, opened) in all.iter().enumerate() {
            if let (Home::Directory(directory), Kind::Agent) = (&opened.home, opened.dialect.kind) {
                agents.insert(key(&opened.dialect.id, directory), at);
            }
        }
        let servers = ground.servers.iter();
        let servers =
            servers.map(|(dialect, server)| named::key(&dialect.id, NodeKind::Server, &server.name));
        let mut this = Self {
            all,
            others: Vec::new(),
            agents,
            alone,
            servers: servers.collect(),
            offered,
            names: OnceCell::new(),
        };
        for at in 0..this.all.len() {
            let Opened { dialect, home, .. } = &this.all[at];
            let needs = this.all[at].catalog.refers_outside() && this.agents(at).is_none();
            // A format without agents names none.
            if let (true, Home::Directory(_), Ok(dialect)) = (needs, home, opener.dialects.get(&dialect.id)) {
                let here = Home::Directory(top.directory.clone());
                let agents = opener.open(opener.options(top, dialect, &here))?;
                this.others.push((dialect.id.clone(), agents));
            }
        }
        let mut files = Existing::new(&**opener.files, &top.directory);
        for at in 0..this.all.len() {
            let Opened { dialect, catalog, .. } = &this.all[at];
            if catalog.refers_outside() {
                let mut found = catalog.missing_files(&mut files);
                if dialect.kind != Kind::Agent && opener.dialects.get(&dialect.id).is_ok() {
                    found.extend(catalog.unknown_agents(this.agents(at)));
                }
                this.all[at].catalog.add(found);
            }
        }
        Ok(this)
    }

    /// What settings may name: agents, skills, commands and servers, of each dialect.
    fn every_name(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        all.extend(self.servers.iter().cloned());
        for Opened { dialect, catalog, .. } in &self.all {
            let kind = NodeKind::File(dialect.kind);
            let names = catalog.names().into_iter();
            all.extend(names.map(|name| named::key(&dialect.id, kind, &name)));
            let servers = catalog.configured_servers().into_iter();
            all.extend(servers.map(|server| named::key(&dialect.id, NodeKind::Server, &server.name)));
        }
        all
    }

    /// Whether what settings name is there, as far as is known.
    pub(super) fn verdict(&self, named: &Named<'_>) -> Verdict {
        let (kind, owner) = match (&named.target, named.owner) {
            (Target::File(_, verdict) | Target::Plugin(_, verdict), _) => return *verdict,
            (Target::Of(kind) | Target::Defined(kind) | Target::Needed(kind), Some(owner)) => (*kind, owner),
            (_, None) => return Verdict::Unknown,
        };
        let names = self.names.get_or_init(|| self.every_name());
        let built_ins = owner.built_ins.iter().map(|built_in| stem(&built_in.file));
        let mut shipped = built_ins.chain(owner.other_agents.iter().map(|name| &**name));
        let is_own = kind == NodeKind::File(Kind::Agent) && shipped.any(|name| name == named.name);
        let is_known = |kind| names.contains(&named::key(&owner.id, kind, &named.name));
        let is_called = named::called_alike(kind, Some(owner)).is_some_and(is_known);
        let is_there = is_own || is_called || is_known(kind);
        // A permission may be for what is installed elsewhere.
        let is_own_agent = named.relation == Relation::RunsIn && !named.name.contains(':');
        let is_wanted = is_own_agent || matches!(named.target, Target::Needed(_));
        match (is_there, is_wanted) {
            (true, _) => Verdict::There,
            (false, true) => Verdict::Missing,
            (false, false) => self
                .offered(owner, kind)
                .map_or(Verdict::Unknown, |(offered, names)| {
                    offered.verdict(names, &named.name)
                }),
        }
    }

    /// What the project's plugins offer to a product, and which of it is of this kind.
    fn offered(&self, owner: &Dialect, kind: NodeKind) -> Option<(&Offered, &Names)> {
        let (_, offered) = self.offered.iter().find(|(id, _)| *id == owner.id)?;
        match kind {
            NodeKind::File(Kind::Agent) => Some((offered, &offered.agents)),
            NodeKind::File(_) => Some((offered, &offered.skills)),
            _ => None,
        }
    }

    /// The whole name of what settings name.
    pub(super) fn full_name<'n>(&'n self, owner: Option<&Dialect>, kind: NodeKind, name: &'n str) -> &'n str {
        let offered = owner.and_then(|owner| self.offered(owner, kind));
        offered.and_then(|(_, names)| names.find(name)).unwrap_or(name)
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
        let innermost = with_parents(directory).find_map(|path| self.agents.get(&key(&dialect.id, path)));
        let innermost = innermost.map(|at| &self.all[*at].catalog);
        let mut others = self.others.iter().filter(|(id, _)| *id == dialect.id);
        innermost.or_else(|| others.next().map(|(_, catalog)| catalog))
    }
}

/// Tells each catalog, and each file without one, what the project's plugins offer: all of them, even if only some files are checked.
/// Returns it by dialect.
fn offer<'a>(
    opener: &Opener<'a>,
    top: &Top,
    ground: &Ground<'a>,
    all: &mut [Opened<'_>],
    alone: &mut [Alone<'_>],
) -> Result<Vec<(String, Rc<Offered>)>, CatalogError> {
    let is_of_plugin = |named: &Named<'_>| {
        matches!(named.target, Target::Of(_) | Target::Defined(_)) && named.name.contains(':')
    };
    let is_asked = all.iter().any(|opened| opened.catalog.refers_to_plugins());
    if !is_asked && alone.is_empty() && !ground.names.iter().any(is_of_plugin) {
        return Ok(Vec::new());
    }
    let is_whole = top.wanted.covers(&top.directory);
    let home = opener.project.home.as_deref();
    let whole = (!is_whole).then(|| {
        walk(
            &**opener.files,
            opener.dialects,
            home,
            &top.directory,
            &Wanted::default(),
        )
    });
    let ground = whole.as_ref().unwrap_or(ground);
    if ground.is_cut {
        // What a plugin has may be among the files beyond the limit.
        return Ok(Vec::new());
    }
    let mut opened: BTreeMap<String, usize> = BTreeMap::new();
    for (at, it) in all.iter().enumerate() {
        if let Home::Plugin(plugin, place) = &it.home {
            opened.insert(of_plugin(it.dialect, plugin, place), at);
        }
    }
    let mut names_alone: BTreeMap<String, String> = BTreeMap::new();
    names_alone.extend(alone.iter().map(|file| (file.path.clone(), file.name.clone())));
    let mut offered = Vec::<(String, Offered)>::new();
    let mut seen = BTreeSet::new();
    // Elsewhere, names do not tell the plugin.
    for owned in ground.owned.iter().filter(|owned| owned.owner.plugin_prefix) {
        let Home::Plugin(plugin, place) = &owned.home else {
            continue;
        };
        let key = of_plugin(owned.owner, plugin, place);
        if !seen.insert(key.clone()) {
            continue;
        }
        let all_names = |catalog: &Catalog| {
            let titles = catalog.titles().map(|(title, _)| title.to_string());
            catalog.names().into_iter().chain(titles).collect()
        };
        let names = if owned.is_alone() {
            let name = names_alone.remove(&owned.path);
            let name = name.or_else(|| Some(Alone::read(opener, owned)?.name));
            name.into_iter().collect()
        } else if let Some(at) = opened.get(&key) {
            all_names(&all[*at].catalog)
        } else {
            let options = opener.options(top, owned.owner, &owned.home);
            all_names(&opener.open(options)?)
        };
        let id = &owned.owner.id;
        let at = offered
            .iter()
            .position(|(known, _)| known == id)
            .unwrap_or_else(|| {
                offered.push((id.clone(), Offered::default()));
                offered.len() - 1
            });
        offered[at].1.add(owned.owner.kind, plugin, names);
    }
    let offered = offered.into_iter().map(|(id, offered)| (id, Rc::new(offered)));
    let offered: Vec<_> = offered.collect();
    for (id, offered) in &offered {
        let its = all.iter_mut().filter(|opened| opened.dialect.id == *id);
        its.for_each(|opened| opened.catalog.offer(offered));
        let its = alone.iter_mut().filter(|file| file.owner.id == *id);
        its.for_each(|file| file.offered = Rc::clone(offered));
    }
    Ok(offered)
}

fn key(id: &str, place: &str) -> String {
    [id, place].join("\n")
}

fn of_plugin(dialect: &Dialect, plugin: &str, place: &str) -> String {
    [&dialect.id, dialect.kind.noun(), plugin, place].join("\n")
}

/// A file that no catalog has.
pub(super) struct Alone<'a> {
    pub(super) path: String,
    pub(super) owner: &'a Dialect,
    /// In its plugin.
    pub(super) name: String,
    /// None if only its form tells what it is.
    pub(super) standing: Option<Standing>,
    document: Document,
    offered: Rc<Offered>,
}

impl<'a> Alone<'a> {
    /// None if it cannot be read.
    fn read(opener: &Opener<'a>, owned: &Owned<'a>) -> Option<Self> {
        let bytes = opener.files.read(&owned.path).ok()?;
        let level = owned.home.level().unwrap_or(Level::Project);
        let document = document::read(&owned.path, &bytes, Some(level), owned.owner, opener.dialects);
        let title = document.definition.title().filter(|title| !title.is_empty());
        let name = &document.definition.name;
        Some(Self {
            path: owned.path.clone(),
            owner: owned.owner,
            name: match &owned.home {
                // It is the file of the plugin's only skill.
                Home::Plugin(plugin, _) if owned.owner.plugin_prefix => match title {
                    Some(title) if owned.owner.kind == Kind::Skill => format!("{plugin}:{title}"),
                    _ => format!("{plugin}:{name}"),
                },
                _ => name.clone(),
            },
            standing: matches!(owned.home, Home::Plugin(..)).then_some(Standing::Active),
            document,
            offered: Rc::default(),
        })
    }

    /// What it names. Its surroundings are elsewhere, but for the files beside it.
    pub(super) fn references(&self, around: &mut dyn Surroundings) -> Vec<Reference> {
        references::of(&self.cast(), None, around)
    }

    /// The findings about what it names: those that are left, and those that comments in it suppress.
    pub(super) fn findings(&self, around: &mut dyn Surroundings) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let mut found = Vec::new();
        rules::missing_file::check(&self.cast(), around, &mut found);
        rules::missing_script::between(&self.cast(), around, &mut found);
        rules::unknown_agent::between(&self.cast(), None, &mut found);
        rules::missing_skill::check(&self.cast(), &mut found);
        let ignores = &self.document.ignores;
        found.into_iter().partition(|found| !is_ignored(ignores, found))
    }

    fn cast(&self) -> Cast<'_> {
        Cast {
            dialect: self.owner,
            members: vec![Member {
                name: &self.name,
                description: &self.document.definition.description,
                path: Some(&self.path),
                for_models: true,
                in_project: true,
                at: self.document.anchor,
                mentions: &self.document.mentions,
            }],
            broken: Vec::new(),
            skills: None,
            locked: Vec::new(),
            servers: None,
            offered: &self.offered,
        }
    }
}
