//! Takes stock of a project: reads each file of its graph again, for all that the graph does not tell.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use sha2::{Digest as _, Sha256};

use super::checked::Checked;
use super::configured::{Configured, handlers};
use super::found::{Asset, Hook, Inventory, Server};
use super::nodes::Nodes;
use super::own::{Own, Power};
use super::reach::Calls;
use crate::catalog::{Entry, Relation, Standing, servers};
use crate::definition::{Definition, Field, Model};
use crate::diagnostic::Placer;
use crate::dialect::{Canonical, Clash, Dialect, Key, Kind};
use crate::document::read_with_values;
use crate::files::FileError;
use crate::limits::FILE_BYTES;
use crate::project::Report;
use crate::project::graph::{Graph, Node};
use crate::project::named::NodeKind;
use crate::project::opened::{Opened, Opener};
use crate::project::settings;
use crate::project::walk::Home;
use crate::source::Source;
use crate::vocabulary::Rights;
use crate::yaml::Node as Value;

/// What is known of a node.
#[derive(Default)]
struct Facts {
    sha256: Option<String>,
    model: Model,
    mode: Option<String>,
    own: Own,
    /// Whether only the user may choose it.
    is_manual: bool,
    /// Whether a catalog has told all of it.
    is_complete: bool,
}

/// What settings configure.
#[derive(Clone, Copy)]
enum Part {
    Servers,
    Hooks,
}

/// An inventory in the making.
pub(super) struct Stock<'a> {
    opener: Opener<'a>,
    checked: Checked,
    inventory: Inventory,
    nodes: Nodes,
    facts: Vec<Facts>,
    /// Which agents may call every other one of their catalog.
    circles: Vec<(Vec<usize>, Vec<usize>)>,
    /// By package and tool, the agents that may load every skill, and the skills that models may load.
    loading: BTreeMap<(String, String), (Vec<usize>, BTreeSet<usize>)>,
    /// The files that have been read for servers, and for hooks.
    served: BTreeSet<String>,
    hooked: BTreeSet<String>,
}

impl<'a> Stock<'a> {
    pub(super) fn new(opener: Opener<'a>, graph: Graph, report: &Report) -> Self {
        let mut stock = Self {
            opener,
            checked: Checked::new(report),
            inventory: Inventory::default(),
            nodes: Nodes::default(),
            facts: Vec::new(),
            circles: Vec::new(),
            loading: BTreeMap::new(),
            served: BTreeSet::new(),
            hooked: BTreeSet::new(),
        };
        stock.inventory.graph = Graph {
            nodes: Vec::new(),
            ..graph
        };
        // Every name before the files: they may configure servers that the graph has.
        let count = graph.nodes.len();
        for node in graph.nodes {
            stock.add(node);
        }
        (0..count).for_each(|node| stock.file(node));
        stock
    }

    fn add(&mut self, node: Node) -> usize {
        let at = self.facts.len();
        self.nodes.add(&node, at);
        self.inventory.graph.nodes.push(node);
        self.facts.push(Facts::default());
        at
    }

    /// Reads the file of an agent, a skill or a command.
    fn file(&mut self, at: usize) {
        let Node {
            kind,
            dialect,
            path,
            standing,
            ..
        } = self.inventory.graph.nodes[at].clone();
        let (NodeKind::File(kind), Some(path)) = (kind, path) else {
            return;
        };
        let Ok(bytes) = self.opener.files.read(&path) else {
            return;
        };
        self.facts[at].sha256 = Some(hexadecimal(&Sha256::digest(&bytes)));
        let is_active = standing.is_none_or(|standing| standing == Standing::Active);
        let dialect = dialect.and_then(|id| self.opener.dialects.get_for(&id, kind).ok());
        let Some(dialect) = dialect.filter(|_| is_active) else {
            return;
        };
        let (mut document, values) = read_with_values(&path, &bytes, dialect, self.opener.dialects);
        document.forget_ignored(&path, &bytes, dialect, self.opener.dialects);
        self.learn(at, dialect, &document.definition);
        let level = self.checked.of(Some(&path)).level;
        let is_ignored = |field: &&Field| {
            let known = dialect.key(&field.key);
            known.is_some_and(|key| key.ignored_at.contains(&level))
        };
        let root = values.and_then(|values| values.root);
        let value = |field| {
            let field = document
                .definition
                .field(field)
                .filter(|field| !is_ignored(field))?;
            root.as_ref()?.get(&field.key)
        };
        let source = Source::of_file(&bytes);
        let of_servers = |key: &&Key| key.field == Canonical::McpServers && key.list_only;
        let is_read =
            |value: &&Value| value.items().is_some() || !dialect.keys.iter().any(|key| of_servers(&key));
        let servers = value(Canonical::McpServers).filter(is_read);
        self.servers(&path, &source, servers, true);
        self.hooks(dialect, &path, &source, value(Canonical::Hooks));
    }

    fn learn(&mut self, at: usize, dialect: &Dialect, definition: &Definition) {
        let facts = &mut self.facts[at];
        facts.model = definition.model.clone();
        facts.mode.clone_from(&definition.permission_mode);
        facts.own = Own::of(dialect, definition);
        facts.is_manual = definition.is_manual();
    }

    /// Adds the servers of a value; those of a file of servers only if the graph has them, since other files may have been asked for.
    fn servers(&mut self, path: &str, source: &Source<'_>, value: Option<&Value>, is_own: bool) {
        let configured = value.map(Configured::all).unwrap_or_default();
        if configured.is_empty() {
            return;
        }
        let placer = Placer::new(path, source);
        for server in configured {
            let node = match self.nodes.server(path, server.name) {
                Some(node) => node,
                None if is_own => self.add(Node {
                    kind: NodeKind::Server,
                    name: server.name.to_string(),
                    dialect: None,
                    path: Some(path.to_string()),
                    standing: None,
                }),
                None => continue,
            };
            self.inventory.servers.push(Server {
                node,
                transport: server.transport(),
                target: server.target(),
                place: placer.place(server.entry.key.span),
            });
        }
    }

    fn hooks(&mut self, dialect: &Dialect, path: &str, source: &Source<'_>, value: Option<&Value>) {
        let handlers = value
            .map(|hooks| handlers(&dialect.hooks, hooks))
            .unwrap_or_default();
        if handlers.is_empty() {
            return;
        }
        let placer = Placer::new(path, source);
        let hooks = handlers.into_iter().map(|handler| Hook {
            event: handler.event.to_string(),
            runs: handler.runs,
            place: placer.place(handler.at.span),
        });
        self.inventory.hooks.extend(hooks);
    }

    /// Takes what only a catalog knows: the project's servers, merged and built-in agents, and who may call every agent.
    pub(super) fn take(&mut self, opened: &mut Opened<'_>) {
        for path in opened.catalog.server_files() {
            self.settings(opened.dialect, Part::Servers, &path);
        }
        if opened.dialect.kind == Kind::Command {
            return;
        }
        let entries = opened.catalog.entries(false);
        if opened.dialect.kind == Kind::Agent {
            for entry in &entries {
                self.complete(opened, entry, false);
            }
        }
        let nodes = entries
            .iter()
            .filter_map(|entry| self.nodes.of(opened.dialect, entry));
        let nodes: Vec<usize> = nodes.collect();
        let package = match &opened.home {
            Home::Directory(package) => package.clone(),
            _ => String::new(),
        };
        let (agents, skills) = self
            .loading
            .entry((package, opened.dialect.id.clone()))
            .or_default();
        let (nodes, facts) = (nodes.into_iter(), &self.facts);
        if opened.dialect.kind == Kind::Skill {
            return skills.extend(nodes.filter(|node| !facts[*node].is_manual));
        }
        let loads = |node: &usize| facts[*node].own.has(Power::Right(Rights::SKILL));
        agents.extend(nodes.clone().filter(loads));
        let callers: Vec<usize> = nodes.filter(|node| facts[*node].own.any_agent).collect();
        if callers.is_empty() {
            return;
        }
        let members = entries
            .iter()
            .filter_map(|entry| self.complete(opened, entry, true));
        let mut members: Vec<usize> = members.collect();
        members.retain(|node| !self.facts[*node].is_manual);
        self.circles.push((callers, members));
    }

    /// The node of a catalog's entry, complete. Without one, it gets one if it is `wanted`.
    fn complete(&mut self, opened: &mut Opened<'_>, entry: &Entry, wanted: bool) -> Option<usize> {
        let dialect = opened.dialect;
        let known = self.nodes.of(dialect, entry);
        let node = match known {
            Some(node) => node,
            None if wanted => self.add_entry(dialect, entry),
            None => return None,
        };
        let is_merged = dialect.clash == Clash::Merge || entry.origin.path.is_none();
        if is_merged
            && !core::mem::replace(&mut self.facts[node].is_complete, true)
            && let Some((definition, _)) = opened.catalog.get(&entry.name)
        {
            self.learn(node, dialect, &definition);
        }
        Some(node)
    }

    fn add_entry(&mut self, dialect: &Dialect, entry: &Entry) -> usize {
        let node = self.add(Node {
            kind: NodeKind::File(dialect.kind),
            name: entry.name.clone(),
            dialect: Some(dialect.id.clone()),
            path: entry.origin.path.clone(),
            standing: None,
        });
        self.file(node);
        node
    }

    /// Reads a file that configures servers or hooks, such as `.claude/settings.json`.
    pub(super) fn settings_file(&mut self, dialect: &Dialect, path: &str) {
        self.settings(dialect, Part::Servers, path);
        if settings::has_hooks(dialect, path) {
            self.settings(dialect, Part::Hooks, path);
        }
    }

    fn settings(&mut self, dialect: &Dialect, part: Part, path: &str) {
        let read = match part {
            Part::Servers => &mut self.served,
            Part::Hooks => &mut self.hooked,
        };
        if !read.insert(path.to_string()) {
            return;
        }
        let bytes = match self.opener.files.read(path) {
            Ok(bytes) if bytes.len() <= FILE_BYTES => bytes,
            Err(FileError::NotFound) => return,
            _ => return self.unread(path),
        };
        let source = Source::new(&bytes);
        let root = crate::settings::read(path, &source, settings::syntax(dialect, path));
        match (root, part) {
            _ if settings::is_empty(&source) => {}
            (Ok(root), Part::Servers) => {
                self.servers(path, &source, servers::map(dialect, &root, true), false);
            }
            (Ok(root), Part::Hooks) => self.hooks(dialect, path, &source, root.get("hooks")),
            (Err(_), _) => self.unread(path),
        }
    }

    fn unread(&mut self, path: &str) {
        let unread = &mut self.inventory.unread;
        if !unread.iter().any(|known| known == path) {
            unread.push(path.to_string());
        }
    }

    /// Agents that may load every skill of a catalog, and the agents that these run in.
    fn forks(&self) -> impl Iterator<Item = (&[usize], Vec<usize>)> {
        let mut forks: Vec<Vec<usize>> = alloc::vec![Vec::new(); self.facts.len()];
        for edge in &self.inventory.graph.edges {
            if let (Relation::RunsIn, Some(to)) = (edge.relation, edge.to) {
                forks[edge.from].push(to);
            }
        }
        self.loading.values().map(move |(agents, skills)| {
            let members = skills.iter().flat_map(|skill| forks[*skill].iter().copied());
            (&**agents, members.collect())
        })
    }

    /// The inventory, with what agents reach.
    pub(super) fn finish(mut self) -> Inventory {
        let mut calls = Calls::new(self.facts.len());
        for (at, edge) in self.inventory.graph.edges.iter().enumerate() {
            if let (Relation::Calls | Relation::RunsIn, Some(to)) = (edge.relation, edge.to) {
                calls.add(edge.from, to, at);
            }
        }
        for (callers, members) in &self.circles {
            calls.add_circle(callers, members);
        }
        for (callers, members) in self.forks() {
            calls.add_circle(callers, &members);
        }
        let own: Vec<&Own> = self.facts.iter().map(|facts| &facts.own).collect();
        let mut reached = calls.reached(&own);
        for (node, facts) in self.facts.into_iter().enumerate() {
            let Node { kind, path, .. } = &self.inventory.graph.nodes[node];
            if !matches!(kind, NodeKind::File(_)) {
                continue;
            }
            let checked = self.checked.of(path.as_deref());
            self.inventory.assets.push(Asset {
                node,
                sha256: facts.sha256,
                model: facts.model,
                mode: facts.mode,
                any_agent: facts.own.any_agent,
                permissions: facts.own.permissions(),
                other_tools: facts.own.other_tools,
                reached: core::mem::take(&mut reached[node]),
                errors: checked.errors,
                warnings: checked.warnings,
            });
        }
        self.inventory
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            digits.push(char::from_digit(u32::from(digit), 16).unwrap_or_default());
        }
    }
    digits
}
