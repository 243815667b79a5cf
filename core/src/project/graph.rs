//! What the files of a project are and name, as one graph.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::listed::Existing;
use super::named::{Named, NodeKind, Target, called_alike, key};
use super::opened::{Opened, Opener};
use super::plugins::Known;
use super::references::{Alone, Catalogs};
use super::tops::tops;
use super::walk::{Home, walk};
use crate::catalog::{CatalogError, Relation, Standing};
use crate::cycles::cycles;
use crate::diagnostic::Place;
use crate::dialect::{Dialect, Identity, Kind, Level};
use crate::mentions::Said;
use crate::offered::Verdict;
use crate::places::with_parents;
use crate::references::{Reference, Server};

/// The files of a project, and what they name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Files, and what is named without being one.
    pub nodes: Vec<Node>,
    /// What files name, in their order.
    pub edges: Vec<Edge>,
    /// Agents that can call each other without end, as edges.
    pub cycles: Vec<Vec<usize>>,
    /// The nodes that have the name of its scope.
    pub named: Vec<usize>,
    /// If nothing has or mentions the name of its scope: the names that may be meant.
    pub instead: Option<Vec<String>>,
}

/// Something that can be named.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its name; the path of a file.
    pub name: String,
    /// The dialect that owns it; none for servers and files.
    pub dialect: Option<String>,
    /// Its file; none if it has none, or none that is known.
    pub path: Option<String>,
    /// Its standing; none if it is in no catalog.
    pub standing: Option<Standing>,
}

/// Something that a file names.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The node of the file.
    pub from: usize,
    /// The named node; none if it is not there, or not known.
    pub to: Option<usize>,
    /// How the file depends on it.
    pub relation: Relation,
    /// The name as written.
    pub name: String,
    /// Where it is written.
    pub place: Place,
    /// Whether it is there.
    pub verdict: Verdict,
}

impl Relation {
    /// What is on its other end, the preferred kind first.
    pub(super) fn targets(self) -> &'static [NodeKind] {
        match self {
            Self::Calls | Self::RunsIn => &[NodeKind::File(Kind::Agent)],
            Self::Loads => &[NodeKind::File(Kind::Skill), NodeKind::File(Kind::Command)],
            Self::Uses => &[NodeKind::Server],
            Self::DependsOn => &[NodeKind::Plugin],
            Self::LinksTo | Self::Runs => &[NodeKind::Other],
            // Each name tells its own kind.
            Self::Names => &[],
        }
    }
}

/// What a reference may lead to, the preferred kind first.
fn targets(reference: &Reference) -> &'static [NodeKind] {
    match reference.said {
        None => reference.relation.targets(),
        Some(Said::Agent | Said::PerhapsAgent) => Relation::Calls.targets(),
        Some(Said::Skill | Said::Command) => Relation::Loads.targets(),
        Some(Said::Server) => Relation::Uses.targets(),
    }
}

/// The graph of a project, or of some of its files with all that they name.
pub(super) fn whole(opener: &Opener<'_>) -> Result<Graph, CatalogError> {
    Ok(Builder::default().of(opener, &mut |_, _| {})?.finish())
}

/// What a graph is from.
#[derive(Default)]
pub(super) struct Survey<'a> {
    pub(super) catalogs: Vec<Opened<'a>>,
    /// Files that configure hooks or servers, and whose they are.
    pub(super) hooking: Vec<(&'a Dialect, String)>,
}

/// The same, with what it is from.
pub(super) fn survey<'a>(opener: &Opener<'a>) -> Result<(Graph, Survey<'a>), CatalogError> {
    let mut survey = Survey::default();
    let builder = Builder::default().of(opener, &mut |catalogs, hooking| {
        survey.catalogs.extend(catalogs);
        survey.hooking.extend(hooking);
    })?;
    Ok((builder.finish(), survey))
}

/// The graph with every reference, also of names that a file repeats, and with every definition in settings, but without cycles.
pub(super) fn every_reference(opener: &Opener<'_>) -> Result<Graph, CatalogError> {
    let builder = Builder {
        repeats: true,
        ..Builder::default()
    };
    let Builder { mut graph, later, .. } = builder.of(opener, &mut |_, _| {})?;
    let unnamed = later
        .into_iter()
        .filter(|(node, added)| added.is_none() && node.standing.is_some());
    graph.nodes.extend(unnamed.map(|(node, _)| node));
    Ok(graph)
}

#[derive(Default)]
struct Builder {
    graph: Graph,
    /// The nodes of files, by path and what it is there.
    files: BTreeMap<String, usize>,
    /// The nodes by name and the directory in which they have it.
    names: BTreeMap<String, usize>,
    /// Nodes that are only added if something leads to them, and then their numbers: plugins, and active files that are not asked about.
    later: Vec<(Node, Option<usize>)>,
    /// The places of these in `later`, by name.
    elsewhere: BTreeMap<String, usize>,
    /// Whether names count that a file repeats.
    repeats: bool,
    /// What files name.
    named: BTreeSet<String>,
}

/// What a reference leads to.
enum Found {
    Node(usize),
    /// The place in `later`.
    Later(usize),
}

/// Whose names count: other files are those of the project.
fn owner(dialect: Option<&Dialect>, kind: NodeKind) -> &str {
    let own = dialect.filter(|_| kind != NodeKind::Other);
    own.map_or("", |dialect| &dialect.id)
}

fn target_key(dialect: &Dialect, kind: NodeKind, reference: &Reference) -> String {
    key(owner(Some(dialect), kind), kind, &reference.target)
}

/// What leads to a definition as files: its own, and the folder that it names.
fn places(dialect: &Dialect, path: &str) -> Vec<String> {
    let mut places = Vec::from([key("", NodeKind::Other, path)]);
    if let (Identity::Folder, Some((folder, _))) = (dialect.identity, path.rsplit_once('/')) {
        places.push(key("", NodeKind::Other, folder));
    }
    places
}

/// A name in a directory. The length tells where the name ends: it may contain any character.
fn in_home(name: &str, home: &str) -> String {
    format!("{}\n{name}\n{home}", name.len())
}

impl Builder {
    /// Adds everything, and gives away what it is from in each directory.
    fn of<'a>(
        mut self,
        opener: &Opener<'a>,
        give: &mut dyn FnMut(Vec<Opened<'a>>, Vec<(&'a Dialect, String)>),
    ) -> Result<Self, CatalogError> {
        let Opener {
            files,
            dialects,
            project,
            request,
        } = *opener;
        for top in tops(&**files, dialects, project, &request.paths) {
            let home = project.home.as_deref();
            let ground = walk(&**files, dialects, home, &top.directory, &top.wanted);
            let mut owners: BTreeMap<&str, &Dialect> = BTreeMap::new();
            owners.extend(ground.owned.iter().map(|owned| (&*owned.path, owned.owner)));
            let used = opener.used(&top);
            let catalogs = Catalogs::open(opener, &top, &ground, &used)?;
            let mut existing = Existing::new(&**files, &top.directory);
            // Every file before the names: a target may come later.
            let is_of = |opened: &Opened<'_>, path: &str| {
                top.wanted.covers(path) && opened.is_about(path, &top) && opened.judges(path, &owners)
            };
            for opened in &catalogs.all {
                let is_its = |path: &str| opened.judges(path, &owners);
                self.files(opened, &|path| is_of(opened, path), &is_its);
            }
            for file in &catalogs.alone {
                self.alone(file);
            }
            let mut plugins: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for plugin in &ground.plugins {
                if let Some(directory) = &plugin.directory {
                    let place = key(&plugin.dialect.id, NodeKind::Plugin, directory);
                    plugins.entry(place).or_default().push(plugin.name.clone());
                }
            }
            for plugin in ground.plugins {
                self.plugin(plugin);
            }
            for (dialect, server) in ground.servers {
                let place = key(&dialect.id, NodeKind::Plugin, &server.home);
                let plugins = plugins.get(&place).into_iter().flatten();
                self.server(dialect, server.clone(), true);
                plugins.for_each(|plugin| self.tools(dialect, plugin, &server));
            }
            for opened in &catalogs.all {
                for server in opened.catalog.configured_servers() {
                    let is_meant = is_of(opened, &server.path);
                    self.server(opened.dialect, server, is_meant);
                }
            }
            for (at, opened) in catalogs.all.iter().enumerate() {
                let agents = catalogs.agents(at);
                let references = opened.catalog.references(agents, &mut existing);
                for reference in references.into_iter().filter(|it| is_of(opened, &it.place.path)) {
                    self.edge(opened.dialect, reference);
                }
            }
            for file in &catalogs.alone {
                for reference in file.references(&mut existing) {
                    self.edge(file.owner, reference);
                }
            }
            for named in ground.names {
                self.other(&catalogs, named);
            }
            give(catalogs.all, ground.hooking);
        }
        Ok(self)
    }

    /// Adds the files of a catalog. Those that are its own lead to their nodes by their paths, too.
    fn files(&mut self, opened: &Opened<'_>, is_meant: &dyn Fn(&str) -> bool, is_its: &dyn Fn(&str) -> bool) {
        let (dialect, kind) = (&opened.dialect.id, NodeKind::File(opened.dialect.kind));
        let home = match &opened.home {
            Home::Directory(directory) => directory,
            Home::Plugin(_, place) => place,
            Home::Form => "",
        };
        for entry in opened.catalog.entries(true) {
            let name = key(dialect, kind, &entry.name);
            let Some(path) = entry.origin.path else {
                // One of settings or of the command line is in the graph if something names it.
                let counts = matches!(entry.standing, Standing::Active | Standing::Withheld);
                if counts && entry.origin.level != Level::BuiltIn {
                    let later = self.later(kind, Some(dialect), entry.name, None);
                    self.later[later].0.standing = Some(entry.standing);
                    self.elsewhere.entry(name).or_insert(later);
                }
                continue;
            };
            let mut leading = places(opened.dialect, &path);
            let is_active = entry.standing == Standing::Active;
            if !is_meant(&path) {
                if !is_its(&path) {
                    leading.clear();
                }
                leading.extend(is_active.then_some(name));
                leading.retain(|key| !self.elsewhere.contains_key(key));
                if !leading.is_empty() {
                    let later = self.later(kind, Some(dialect), entry.name, Some(path));
                    self.elsewhere.extend(leading.into_iter().map(|key| (key, later)));
                }
                continue;
            }
            let file = key(dialect, kind, &path);
            let node = match self.files.get(&file) {
                Some(node) => *node,
                None => {
                    let node = self.add(kind, Some(dialect), entry.name, Some(path), Some(entry.standing));
                    self.files.insert(file, node);
                    node
                }
            };
            if is_active {
                self.name(&name, home, node);
            }
            leading.iter().for_each(|place| self.name(place, "", node));
        }
        for (title, name) in opened.catalog.titles() {
            let (title, name) = (key(dialect, kind, title), key(dialect, kind, name));
            if let Some(node) = self.names.get(&in_home(&name, home)) {
                self.name(&title, home, *node);
            } else if let Some(later) = self.elsewhere.get(&name).copied() {
                self.elsewhere.entry(title).or_insert(later);
            }
        }
    }

    /// Adds a server that a file configures, unless the file is not asked about.
    fn server(&mut self, dialect: &Dialect, server: Server, is_meant: bool) {
        let name = key(&dialect.id, NodeKind::Server, &server.name);
        if !is_meant {
            if !self.elsewhere.contains_key(&name) {
                let later = self.later(NodeKind::Server, None, server.name, Some(server.path));
                self.elsewhere.insert(name, later);
            }
        } else if !self.names.contains_key(&in_home(&name, &server.home)) {
            let node = self.add(NodeKind::Server, None, server.name, Some(server.path), None);
            self.name(&name, &server.home, node);
        }
    }

    /// Knows a plugin's server by its name in those of its tools, which have the plugin's name, too.
    fn tools(&mut self, dialect: &Dialect, plugin: &str, server: &Server) {
        let name = key(&dialect.id, NodeKind::Server, &server.name);
        if let Some(node) = self.names.get(&in_home(&name, &server.home)).copied() {
            let of_tools = format!("plugin_{plugin}_{}", server.name);
            self.name(&key(&dialect.id, NodeKind::Server, &of_tools), &server.home, node);
        }
    }

    /// Knows a plugin by its names, and its directory and its manifest as the plugin.
    fn plugin(&mut self, plugin: Known<'_>) {
        let id = &plugin.dialect.id;
        let directory = plugin.directory.as_ref();
        let directory = directory.map(|path| key("", NodeKind::Other, path));
        let manifest = key("", NodeKind::Other, &plugin.path);
        let names = plugin.names();
        let known = self.elsewhere.get(&manifest).filter(|_| plugin.has_manifest);
        let later = match known {
            Some(known) => *known,
            None => self.later(NodeKind::Plugin, Some(id), plugin.name, Some(plugin.path)),
        };
        for name in names {
            let name = key(id, NodeKind::Plugin, &name);
            self.elsewhere.entry(name).or_insert(later);
        }
        if plugin.has_manifest {
            self.elsewhere.insert(manifest, later);
        }
        if let Some(directory) = directory {
            self.elsewhere.entry(directory).or_insert(later);
        }
    }

    fn later(
        &mut self,
        kind: NodeKind,
        dialect: Option<&String>,
        name: String,
        path: Option<String>,
    ) -> usize {
        let node = Node {
            kind,
            name,
            dialect: dialect.cloned(),
            path,
            standing: None,
        };
        self.later.push((node, None));
        self.later.len() - 1
    }

    /// Adds a file that no catalog has.
    fn alone(&mut self, file: &Alone<'_>) {
        let (name, id) = (&file.name, &file.owner.id);
        let kind = NodeKind::File(file.owner.kind);
        let path = Some(file.path.clone());
        let node = self.add(kind, Some(id), name.clone(), path, file.standing);
        self.files.insert(key(id, kind, &file.path), node);
        self.name(&key(id, kind, name), "", node);
        let leading = places(file.owner, &file.path);
        leading.iter().for_each(|place| self.name(place, "", node));
    }

    fn add(
        &mut self,
        kind: NodeKind,
        dialect: Option<&String>,
        name: String,
        path: Option<String>,
        standing: Option<Standing>,
    ) -> usize {
        self.graph.nodes.push(Node {
            kind,
            name,
            dialect: dialect.cloned(),
            path,
            standing,
        });
        self.graph.nodes.len() - 1
    }

    fn name(&mut self, name: &str, home: &str, node: usize) {
        self.names.entry(in_home(name, home)).or_insert(node);
    }

    /// The node of a name, seen from a file: of several directories that have it, the innermost around the file.
    fn named(&self, name: &str, from: &str) -> Option<usize> {
        let mut around = with_parents(from).chain([""]);
        let nearest = around.find_map(|home| self.names.get(&in_home(name, home)));
        let first = in_home(name, "");
        let is_it = |(home, _): &(&String, &usize)| home.starts_with(&first);
        let any = || self.names.range(first.clone()..).next().filter(is_it);
        nearest.or_else(|| any().map(|(_, node)| node)).copied()
    }

    /// What has a name, seen from a file.
    fn found(&self, name: &str, from: &str) -> Option<Found> {
        let own = self.named(name, from).map(Found::Node);
        own.or_else(|| self.elsewhere.get(name).copied().map(Found::Later))
    }

    fn place(&mut self, found: Found) -> usize {
        match found {
            Found::Node(node) => node,
            Found::Later(at) => {
                let (node, added) = &mut self.later[at];
                *added.get_or_insert_with(|| {
                    self.graph.nodes.push(node.clone());
                    self.graph.nodes.len() - 1
                })
            }
        }
    }

    /// Adds what settings, instructions or a manifest name.
    fn other(&mut self, catalogs: &Catalogs<'_>, named: Named<'_>) {
        let verdict = catalogs.verdict(&named);
        let path = &named.place.path;
        let is_definition = matches!(named.target, Target::Defined(_));
        let (kind, target) = match named.target {
            Target::File(target, _) => (NodeKind::Other, target),
            Target::Of(kind) | Target::Defined(kind) | Target::Needed(kind) => {
                (kind, catalogs.full_name(named.owner, kind, &named.name).into())
            }
            Target::Plugin(name, _) => (NodeKind::Plugin, name),
        };
        let mut key = key(owner(named.owner, kind), kind, &target);
        let mut found = self.found(&key, path);
        if found.is_none()
            && let Some(alike) = called_alike(kind, named.owner)
        {
            let other = self::key(owner(named.owner, alike), alike, &target);
            if let Some(node) = self.found(&other, path) {
                (key, found) = (other, Some(node));
            }
        }
        if is_definition {
            let file = found.as_ref().and_then(|found| self.file_of(found));
            let Some(file) = file.filter(|file| *file != path) else {
                return;
            };
            // Several products may read it.
            key.clone_from(file);
        }
        let from = self.file(path);
        let edge = format!("{from}\n{}\n{key}", named.relation as u8);
        if !self.named.insert(edge) && !self.repeats {
            return;
        }
        let verdict = match found {
            Some(_) if kind == NodeKind::Plugin => Verdict::There,
            _ => verdict,
        };
        let to = (verdict == Verdict::There).then(|| match found {
            Some(found) => self.place(found),
            None if kind == NodeKind::Other => self.file(&target),
            None => {
                let is_file = matches!(kind, NodeKind::File(_));
                let owner = named.owner.filter(|_| is_file).map(|owner| &owner.id);
                let node = self.add(kind, owner, target.clone(), None, None);
                self.name(&key, "", node);
                node
            }
        });
        self.graph.edges.push(Edge {
            from,
            to,
            relation: named.relation,
            name: named.name,
            place: named.place,
            verdict,
        });
    }

    /// The file of a definition.
    fn file_of(&self, found: &Found) -> Option<&String> {
        let node = match found {
            Found::Node(node) => &self.graph.nodes[*node],
            Found::Later(at) => &self.later[*at].0,
        };
        node.path.as_ref()
    }

    /// The node of another file.
    fn file(&mut self, path: &str) -> usize {
        let key = key("", NodeKind::Other, path);
        if let Some(found) = self.found(&key, path) {
            return self.place(found);
        }
        let node = self.add(NodeKind::Other, None, path.into(), Some(path.into()), None);
        self.name(&key, "", node);
        node
    }

    /// Adds what a file names.
    fn edge(&mut self, dialect: &Dialect, reference: Reference) {
        let from = key(&dialect.id, NodeKind::File(dialect.kind), &reference.place.path);
        let Some(from) = self.files.get(&from).copied() else {
            return;
        };
        let mut verdict = reference.verdict;
        if verdict == Verdict::Unknown {
            match (self.known(dialect, &reference), reference.said) {
                (Some(_), _) => verdict = Verdict::There,
                // It may be something else.
                (None, Some(Said::Command | Said::PerhapsAgent)) => return,
                (None, _) => {}
            }
        }
        let kind = targets(&reference)[0].noun();
        let named = format!(
            "{from}\n{}\n{kind}\n{}",
            reference.relation as u8, reference.target
        );
        if !self.named.insert(named) && !self.repeats {
            return;
        }
        let to = (verdict == Verdict::There).then(|| self.target(dialect, &reference));
        self.graph.edges.push(Edge {
            from,
            to,
            relation: reference.relation,
            name: reference.name,
            place: reference.place,
            verdict,
        });
    }

    /// What a reference leads to, if it is a known file or server.
    fn known(&self, dialect: &Dialect, reference: &Reference) -> Option<Found> {
        let kinds = targets(reference).iter().copied();
        let name = |kind| target_key(dialect, kind, reference);
        let own = |kind| self.named(&name(kind), &reference.place.path);
        let own = kinds.clone().find_map(own).map(Found::Node);
        let elsewhere = |kind| self.elsewhere.get(&name(kind)).copied().map(Found::Later);
        own.or_else(|| kinds.clone().find_map(elsewhere))
    }

    fn target(&mut self, dialect: &Dialect, reference: &Reference) -> usize {
        if let Some(found) = self.known(dialect, reference) {
            return self.place(found);
        }
        let kind = targets(reference)[0];
        let path = (kind == NodeKind::Other).then(|| reference.target.clone());
        let of = matches!(kind, NodeKind::File(_)).then_some(&dialect.id);
        let node = self.add(kind, of, reference.target.clone(), path, None);
        self.name(&target_key(dialect, kind, reference), "", node);
        node
    }

    fn finish(mut self) -> Graph {
        let mut calls: Vec<Vec<usize>> = self.graph.nodes.iter().map(|_| Vec::new()).collect();
        let mut edges = calls.clone();
        for (at, edge) in self.graph.edges.iter().enumerate() {
            if let (Relation::Calls, Some(to)) = (edge.relation, edge.to) {
                calls[edge.from].push(to);
                edges[edge.from].push(at);
            }
        }
        let cycles = cycles(&calls).into_iter();
        let cycles = cycles.map(|cycle| cycle.into_iter().map(|(from, call)| edges[from][call]).collect());
        self.graph.cycles = cycles.collect();
        self.graph
    }
}
