//! Files that configure hooks and MCP servers: settings of a project, and hooks of a plugin.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::listed::Existing;
use super::named::{Named, Names, NodeKind, Spot, Target, values};
use crate::catalog::{Relation, servers};
use crate::diagnostic::{Diagnostic, Finding, Placer, Severity};
use crate::dialect::{Dialect, Dialects, Json, PluginSource};
use crate::files::{FileError, Files, Surroundings, join};
use crate::json::Wrong;
use crate::limits::{FILE_BYTES, NAMES};
use crate::manifests::{self, Format, SettingsFormat, formats};
use crate::places::{is_within, normal, parent};
use crate::references::Server;
use crate::rules::dangerous_hook::dangerous;
use crate::rules::incomplete_hook::{incomplete, of_copilot};
use crate::rules::secret::secrets;
use crate::rules::unknown_hook::unknown;
use crate::rules::unmatched_hook::unmatched;
use crate::rules::{invalid_server, invalid_settings, missing_file, missing_script, unreadable_file};
use crate::scripts::{self, Roots, Script};
use crate::settings::{format, included, placeholder, read};
use crate::source::Source;
use crate::span::Span;
use crate::yaml::{Kind as Shape, Node, Plain};

/// A file that configures hooks or MCP servers.
pub(super) struct Settings<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) path: String,
    pub(super) home: Home,
}

/// What such a file has; nothing if it does not exist.
#[derive(Default)]
pub(super) struct Read<'a> {
    /// What is wrong with it.
    pub(super) diagnostics: Vec<Diagnostic>,
    /// What it names.
    pub(super) names: Vec<Named<'a>>,
    /// The servers that it configures.
    pub(super) servers: Vec<Server>,
}

/// The directory that a file with hooks is for.
pub(super) enum Home {
    /// A project. A directory within another project may be a template, whose scripts are added when it is used.
    Project(Option<String>),
    /// A plugin. The file is its manifest, which is checked elsewhere, or one beside it. Of a product whose plugins are not read, only the
    /// servers are known.
    Plugin(String, bool),
}

/// Whether a file has no settings at all.
pub(super) fn is_empty(source: &Source<'_>) -> bool {
    source.text[source.byte_order_marks().end.index()..]
        .trim()
        .is_empty()
}

/// How a product reads the settings file of this path.
pub(super) fn syntax(dialect: &Dialect, path: &str) -> Json {
    let Dialect { hooks, servers, .. } = dialect;
    let of_servers = is_one_of(path, &servers.files).then_some(servers.json);
    hooks.json.max(of_servers.unwrap_or_default())
}

/// Whether a product reads hooks from the settings file of this path.
pub(super) fn has_hooks(dialect: &Dialect, path: &str) -> bool {
    is_one_of(path, &dialect.hooks.files) || !is_one_of(path, &dialect.servers.files)
}

fn is_one_of(path: &str, places: &[impl AsRef<str>]) -> bool {
    places.iter().any(|place| base(path, place.as_ref()).is_some())
}

/// The settings file of this path in the project `top`, if a dialect has hooks or servers there.
pub(super) fn at<'a>(dialects: &'a Dialects, path: &str, top: &str) -> Option<Settings<'a>> {
    format(path)?;
    dialects.iter().find_map(|dialect| {
        let places = dialect.hooks.files.iter().chain(&dialect.servers.files);
        // A file in a folder may have the name of one beside it.
        let base = places
            .filter_map(|place| base(path, place))
            .min_by_key(|base| base.len())?;
        Some(Settings {
            dialect,
            path: path.to_string(),
            home: Home::Project((base == top).then(|| base.to_string())),
        })
    })
}

/// The project of a file at this place in it.
fn base<'p>(path: &'p str, place: &str) -> Option<&'p str> {
    if let Some((folder, ending)) = place.split_once("**/*") {
        let (base, below) = path.split_at(path.find(folder)?);
        let is_in = below.len() > folder.len() + ending.len() && below.ends_with(ending);
        let is_hidden = below[folder.len()..].split('/').any(|name| name.starts_with('.'));
        return match base {
            _ if !is_in || is_hidden => None,
            "" => Some("."),
            base => base.strip_suffix('/'),
        };
    }
    let found = match place.split_once('*') {
        Some((folder, ending)) => {
            let (parent, name) = path.rsplit_once('/')?;
            let parent = name.ends_with(ending).then_some(parent)?;
            parent.strip_suffix(folder.trim_end_matches('/'))
        }
        None => path.strip_suffix(place),
    };
    match found? {
        "" => Some("."),
        base => base.strip_suffix('/'),
    }
}

impl<'a> Settings<'a> {
    pub(super) fn check(&self, files: &dyn Files, existing: &mut Existing<'_>) -> Read<'a> {
        let is_manifest = matches!(self.home, Home::Plugin(_, true));
        let is_checked = !is_manifest && !self.has_servers_only();
        let (bytes, problem) = match files.read(&self.path) {
            Err(FileError::NotFound) => return Read::default(),
            Err(error) => (Vec::new(), Some(error.words())),
            Ok(bytes) if bytes.len() > FILE_BYTES => {
                (Vec::new(), Some(format!("it has more than {FILE_BYTES} bytes")))
            }
            Ok(bytes) => (bytes, None),
        };
        let source = Source::new(&bytes);
        let mut names = Names {
            dialect: self.dialect,
            text: &source.text,
            spots: Vec::new(),
        };
        let mut servers = Vec::new();
        let findings = match problem {
            Some(problem) => {
                let message = format!("the file cannot be read: {problem}");
                Vec::from([Finding::new(&unreadable_file::RULE, Span::at(0), message)])
            }
            None => self.findings(&source, existing, &mut names, &mut servers),
        };
        let is_new = |found: &Finding| is_checked || found.rule != invalid_settings::RULE.name;
        let placer = Placer::new(&self.path, &source);
        let findings = findings.into_iter().filter(is_new);
        let placed = findings.map(|mut found| {
            // Fixes are only applied to agents, skills and commands.
            found.fixes.clear();
            placer.diagnostic(found)
        });
        let spots = names.spots.into_iter();
        let names = spots.map(|spot| spot.placed(self.dialect, &placer));
        Read {
            diagnostics: placed.collect(),
            names: names.collect(),
            servers,
        }
    }

    fn findings(
        &self,
        source: &Source<'_>,
        existing: &mut Existing<'_>,
        names: &mut Names<'_>,
        found: &mut Vec<Server>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        if is_empty(source) {
            return findings;
        }
        match self.read(source) {
            Ok(root) => {
                self.judge(&root, existing, names, &mut findings);
                if let Home::Project(Some(home)) | Home::Plugin(home, _) = &self.home {
                    let map = self.servers(&root, existing);
                    let named = map.into_iter().flat_map(servers::named);
                    found.extend(named.map(|name| Server::new(name, &self.path, home)));
                }
            }
            Err(wrong) if self.is_read(existing) && !self.replaces(&source.text, wrong.at) => {
                let format = format(&self.path).unwrap_or_default();
                let message = format!("the file is not valid {format}: {}", wrong.message);
                let end = source.text[wrong.at..].chars().next().map_or(0, char::len_utf8);
                let span = Span::new(wrong.at, wrong.at + end);
                let found = Finding::new(&invalid_settings::RULE, span, message);
                findings.push(match self.known().and_then(|known| known.unread) {
                    Some(effect) => found.label(effect),
                    None => found.label([&*self.dialect.id, " ignores the whole file"].concat()),
                });
            }
            Err(_) => {}
        }
        findings
    }

    fn read(&self, source: &Source<'_>) -> Result<Node, Wrong> {
        if !self.known().is_some_and(|format| format.is_pure) {
            return read(&self.path, source, syntax(self.dialect, &self.path));
        }
        if source.byte_order_marks().is_empty() {
            return read(&self.path, source, Json::Strict);
        }
        Err(Wrong {
            message: "it begins with a byte order mark".to_string(),
            at: 0,
        })
    }

    /// The servers that it configures.
    fn servers<'n>(&self, root: &'n Node, existing: &mut Existing<'_>) -> Option<&'n Node> {
        match self.home {
            Home::Plugin(_, true) => root.get(servers::OF_PLUGINS),
            Home::Plugin(_, false) => servers::map(self.dialect, root, true),
            Home::Project(_) => {
                servers::map(self.dialect, root, false).filter(|_| self.has_servers(existing))
            }
        }
    }

    /// Whether the product reads its servers from it.
    pub(super) fn has_servers(&self, existing: &mut Existing<'_>) -> bool {
        let rules = &self.dialect.servers;
        let Home::Project(Some(directory)) = &self.home else {
            return false;
        };
        let mut beside = rules.beside.iter();
        let is_used = rules.beside.is_empty() || beside.any(|other| existing.has(&join(directory, other)));
        is_used && is_one_of(&self.path, &rules.files)
    }

    /// Whether it has the servers of a plugin, too, which need no key.
    fn is_of_plugin(&self, directory: &str, existing: &mut Existing<'_>) -> bool {
        let mut has = |file: &str| existing.has(&join(directory, file));
        let source = self.dialect.plugin_source.as_ref();
        let is_own =
            source.is_some_and(|source| self.path == join(directory, &source.servers) && has(&source.mark));
        // Copilot's plugins have their servers in a file of this name, too.
        let loads = |format: &Format| {
            format
                .parts
                .iter()
                .any(|part| self.path == join(directory, part.usual))
        };
        is_own || formats().iter().any(|format| loads(format) && has(format.file))
    }

    fn has_servers_only(&self) -> bool {
        matches!(self.home, Home::Plugin(..)) && self.dialect.plugin_source.is_none()
    }

    /// Whether the product reads it at all, as far as is known.
    pub(super) fn is_read(&self, existing: &mut Existing<'_>) -> bool {
        matches!(self.home, Home::Plugin(..))
            || has_hooks(self.dialect, &self.path)
            || self.has_servers(existing)
    }

    fn judge(
        &self,
        root: &Node,
        existing: &mut Existing<'_>,
        names: &mut Names<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let text = names.text;
        let is_personal = self.path.ends_with(".local.json");
        let is_manifest = matches!(self.home, Home::Plugin(_, true));
        let has_servers_only = self.has_servers_only();
        let is_left_out = is_personal || is_manifest && has_servers_only;
        if !is_left_out {
            secrets(text, Some(root), findings);
        }
        let servers = self.servers(root, existing);
        if let Some(servers) = servers {
            if matches!(self.home, Home::Project(_)) {
                invalid_server::check(self.dialect, servers, findings);
            }
            self.scripts(scripts::of_servers(servers), existing, names, findings);
        }
        if has_servers_only {
            return;
        }
        match &self.home {
            Home::Project(directory) => {
                names.settings(root);
                if let Some(directory) = directory {
                    if self.is_read(existing) && !self.is_of_plugin(directory, existing) {
                        self.fields(root, findings);
                    }
                    self.files(root, directory, existing, names, findings);
                    self.included(existing, names, findings);
                }
            }
            Home::Plugin(directory, true) => {
                // Others may be in the file beside it.
                let has_others = |source: &PluginSource| existing.has(&join(directory, &source.servers));
                let is_map = servers.is_some_and(|servers| matches!(servers.kind, Shape::Mapping(_)));
                let source = self.dialect.plugin_source.as_ref();
                let has_all = is_map && !source.is_some_and(has_others);
                let keys = source.into_iter().flat_map(|source| &source.named_servers);
                for server in keys.flat_map(|keys| values(root, keys)).take(NAMES) {
                    let name = server.as_text().unwrap_or_default();
                    let target = if has_all { Target::Needed } else { Target::Of };
                    names.add(Relation::Uses, target(NodeKind::Server), server, name);
                }
            }
            Home::Plugin(directory, false) => self.wrapped(root, directory, findings),
        }
        // A manifest may name a file instead.
        let has_hooks = |hooks: &&Node| {
            has_hooks(self.dialect, &self.path) && (!is_manifest || matches!(hooks.kind, Shape::Mapping(_)))
        };
        let Some(hooks) = root.get("hooks").filter(has_hooks) else {
            return;
        };
        unknown(self.dialect, hooks, findings);
        if self.dialect.hooks.as_copilot {
            of_copilot(self.dialect, hooks, findings);
        } else {
            incomplete(self.dialect, hooks, findings);
        }
        unmatched(self.dialect, hooks, findings);
        dangerous(text, hooks, findings);
        names.hooks(hooks);
        let scripts = scripts::of_hooks(self.dialect, hooks);
        self.scripts(scripts, existing, names, findings);
    }

    /// Checks that a plugin's hooks are in the object that they must be in. As `claude plugin validate` of 2.1.332 has it.
    fn wrapped(&self, root: &Node, directory: &str, findings: &mut Vec<Finding>) {
        let rules = &self.dialect.hooks;
        let is_of_hooks = rules
            .plugin_file
            .as_ref()
            .is_some_and(|file| self.path == join(directory, file));
        let is_wrapped = rules.plugin_keys.iter().any(|key| root.get(key).is_some());
        if is_of_hooks && !is_wrapped && !rules.plugin_keys.is_empty() {
            let message = "the file must have an object `hooks` with the events";
            let label = [&*self.dialect.id, " runs none of these hooks"].concat();
            let start = root.span.start.index();
            let found = Finding::new(
                &invalid_settings::RULE,
                Span::new(start, start + 1),
                message.to_string(),
            );
            findings.push(found.label(label));
        }
    }

    /// Its format, if that is known.
    fn known(&self) -> Option<&'static SettingsFormat> {
        manifests::settings(&self.dialect.id).find(|format| is_one_of(&self.path, format.files))
    }

    /// Checks its fields, if they are known.
    fn fields(&self, root: &Node, findings: &mut Vec<Finding>) {
        let has = |name: &&str| root.get(name).is_some();
        let format = self.known().filter(|format| !format.others.iter().any(has));
        if let Some(format) = format {
            let judgement = manifests::check(&format.shape, root, &mut manifests::Unknown);
            let known: Vec<Span> = findings.iter().map(|found| found.span).collect();
            let new = judgement.findings.into_iter();
            findings.extend(new.filter(|found| !known.contains(&found.span)));
            if judgement.others > 0 {
                let message = format!("{} more problems in this file", judgement.others);
                findings.push(Finding::new(&invalid_settings::RULE, Span::at(0), message));
            }
        }
    }

    /// Whether the product replaces the value here, which is not JSON, before it reads the file.
    fn replaces(&self, text: &str, at: usize) -> bool {
        let value = at.checked_sub(1).and_then(|start| text.get(start..));
        let is_replaced = |value| placeholder(value).is_some_and(|part| value.starts_with(part));
        self.dialect.settings.includes && value.is_some_and(is_replaced)
    }

    fn folder(&self) -> &str {
        parent(&self.path)
    }

    /// The files that it names.
    fn files(
        &self,
        root: &Node,
        project: &str,
        existing: &mut Existing<'_>,
        names: &mut Names<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let rules = &self.dialect.settings;
        let of_agents = rules.agent_files.iter().map(|keys| (keys, true));
        let others = rules.files.iter().map(|keys| (keys, false));
        for (keys, is_needed) in of_agents.chain(others) {
            let folder = if rules.from_project {
                project
            } else {
                self.folder()
            };
            for node in values(root, keys).into_iter().take(NAMES) {
                let Some(Plain::Text(name)) = node.plain() else {
                    continue;
                };
                let path = normal(&join(folder, name));
                if is_elsewhere(name) || !is_within(&path, existing.top()) {
                    continue;
                }
                let is_there = existing.has(&path);
                if is_needed && !is_there {
                    findings.push(missing_file::in_settings(self.dialect, name, node.span));
                }
                let target = Target::file(path, is_there);
                names.add(Relation::LinksTo, target, node, name);
            }
        }
    }

    /// The files whose contents are put into it.
    fn included(&self, existing: &mut Existing<'_>, names: &mut Names<'_>, findings: &mut Vec<Finding>) {
        let text = names.text;
        let files = self.dialect.settings.includes.then(|| included(text));
        for (start, name) in files.into_iter().flatten() {
            let path = normal(&join(self.folder(), name));
            if is_elsewhere(name) || !is_within(&path, existing.top()) {
                continue;
            }
            let at = Span::new(start, start + name.len());
            let is_there = existing.has(&path);
            if !is_there {
                let mut found = missing_file::in_settings(self.dialect, name, at);
                found.severity = Severity::Error;
                if let Some(effect) = self.known().and_then(|known| known.unread) {
                    found = found.label(effect);
                }
                findings.push(found);
            }
            names.spots.push(Spot {
                relation: Relation::LinksTo,
                name: name.to_string(),
                at,
                target: Target::file(path, is_there),
            });
        }
    }

    fn scripts(
        &self,
        scripts: Vec<Script<'_>>,
        existing: &mut Existing<'_>,
        names: &mut Names<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let roots = self.roots(existing);
        for script in scripts {
            let Some(path) = roots.path(&script.path) else {
                continue;
            };
            let is_there = existing.has(&path);
            findings.extend((!is_there).then(|| missing_script::finding(&script)));
            names.spots.push(Spot {
                relation: Relation::Runs,
                name: script.path,
                at: script.at,
                target: Target::file(normal(&path), is_there),
            });
        }
    }

    fn roots(&self, existing: &mut Existing<'_>) -> Roots<'_> {
        let rules = &self.dialect.hooks;
        let (relative, directory) = match &self.home {
            Home::Project(directory) => (directory.as_deref(), directory.as_deref()),
            Home::Plugin(directory, _) => (None, Some(&**directory)),
        };
        let of_project = rules.variables.iter().filter(|_| relative.is_some());
        let is_of_plugin = relative.is_none_or(|project| self.is_of_plugin(project, existing));
        let of_plugin = rules.plugin_variable.iter().filter(|_| is_of_plugin);
        let names = of_project.chain(of_plugin);
        let known = |directory| names.map(|name| (&**name, directory)).collect();
        Roots {
            relative,
            variables: directory.map(known).unwrap_or_default(),
        }
    }
}

/// Whether a path does not begin at a known place, or is no path.
fn is_elsewhere(name: &str) -> bool {
    name.is_empty()
        || name.starts_with(['/', '~', '$'])
        || name.contains("://")
        || placeholder(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn settings_belong_to_the_directory_above_their_folder() {
        for (path, place, expected) in [
            (".claude/settings.json", ".claude/settings.json", Some(".")),
            ("p/.claude/settings.json", ".claude/settings.json", Some("p")),
            ("p/x.claude/settings.json", ".claude/settings.json", None),
            ("p/.github/hooks/a.json", ".github/hooks/*.json", Some("p")),
            (".github/hooks/a.json", ".github/hooks/*.json", Some(".")),
            ("p/.github/hooks/b/a.json", ".github/hooks/*.json", None),
            ("p/.github/hooks/b/a.json", ".github/hooks/**/*.json", Some("p")),
            (".github/hooks/a.json", ".github/hooks/**/*.json", Some(".")),
            (".github/hooks/.b/a.json", ".github/hooks/**/*.json", None),
            ("x.github/hooks/a.json", ".github/hooks/**/*.json", None),
            ("a.json", ".github/hooks/*.json", None),
        ] {
            assert_eq!(base(path, place), expected, "{path}");
        }
    }
}
