//! Plugins: the folders and files of agents, skills and commands that manifests declare.
//!
//! Source: Claude Code's plugin and marketplace reference. `agents` and `commands` of a manifest replace the default folder, `skills` adds
//! to it; a marketplace entry may define a plugin without a manifest of its own.

mod marketplace;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::listed::Existing;
use super::named::{Named, Spot, Target};
use super::settings::{Home, Settings};
use crate::catalog::Relation;
use crate::diagnostic::{Anchor, Diagnostic, Place, Placer, Severity};
use crate::dialect::{Dialect, Dialects, Json, Kind, PluginSource};
use crate::files::{FileEntry, FileError, FileKind, Files, Surroundings, join};
use crate::json;
use crate::limits::{FILE_BYTES, MANIFEST_PROBLEMS, NAMES};
use crate::manifests::NOT_INSTALLED;
use crate::offered::Verdict;
use crate::places::{self, file_name, inside};
use crate::rules::{invalid_manifest, missing_plugin_file};
use crate::source::Source;
use crate::span::Span;
use crate::yaml::{Kind as Shape, Node};

const SKILL: &str = "SKILL.md";

const UNRENAMED: &str = "Claude Code finds no plugin for those who installed it by its earlier name";

/// A plugin and its files.
pub(super) struct Plugin<'a> {
    /// The dialect that loads it.
    pub(super) dialect: &'a Dialect,
    /// Its name.
    pub(super) name: String,
    pub(super) directory: String,
    /// Its folders and files, and what they define.
    pub(super) places: Vec<(Kind, String)>,
    /// The files of its hooks and servers.
    pub(super) settings: Vec<Settings<'a>>,
}

/// A plugin that others may depend on.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub(super) dialect: &'a Dialect,
    pub(super) name: String,
    /// Its earlier names, under which it is found as well.
    pub(super) earlier: Vec<String>,
    /// The marketplace that lists it.
    pub(super) marketplace: Option<String>,
    /// Its directory; none if it is fetched from elsewhere.
    pub(super) directory: Option<String>,
    /// Its manifest, or that of the marketplace.
    pub(super) path: String,
    pub(super) has_manifest: bool,
}

impl Known<'_> {
    /// The names that it is found by, alone and with that of its marketplace.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = self.earlier.clone();
        names.push(self.name.clone());
        for at in 0..names.len() {
            names.push(full_name(&names[at], self.marketplace.as_deref()));
        }
        names
    }
}

/// What the manifests in a directory say.
#[derive(Default)]
pub(super) struct Declarations<'a> {
    pub(super) plugins: Vec<Plugin<'a>>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The files and folders that they list, and the plugins that these depend on.
    pub(super) names: Vec<Named<'a>>,
    pub(super) known: Vec<Known<'a>>,
    /// The directories of plugins that a marketplace lists, but that cannot be installed or do not load.
    pub(super) refused: Vec<String>,
}

/// What the manifests in `directory` declare. Files outside of `top` are not looked for.
pub(super) fn declared<'a>(
    files: &dyn Files,
    dialects: &'a Dialects,
    top: &str,
    directory: &str,
    entries: &[FileEntry],
) -> Declarations<'a> {
    let mut reader = Reader {
        files,
        existing: Existing::new(files, top),
        plugins: Vec::new(),
        diagnostics: Vec::new(),
        unreported: 0,
        listed: Vec::new(),
        names: Vec::new(),
        known: Vec::new(),
        refused: Vec::new(),
    };
    for dialect in dialects.iter() {
        let is_mark = |entry: &FileEntry, mark: &str| entry.kind == FileKind::Directory && entry.name == mark;
        if let Some(source) = &dialect.plugin_source
            && entries.iter().any(|entry| is_mark(entry, &source.mark))
        {
            reader.read(dialect, source, directory);
        }
    }
    Declarations {
        plugins: reader.plugins,
        diagnostics: reader.diagnostics,
        names: reader.names,
        known: reader.known,
        refused: reader.refused,
    }
}

/// A manifest that is valid JSON.
struct Manifest {
    path: String,
    bytes: Vec<u8>,
    root: Node,
}

/// What a manifest, or an entry of a marketplace, says of a plugin.
struct Declared<'m> {
    manifest: &'m Manifest,
    value: &'m Node,
}

/// What a problem of a manifest is about.
enum Problem {
    /// It says something that cannot be read.
    Invalid,
    /// It names a path that is not there; the text says what follows.
    Missing(&'static str),
    /// It names a path that is not looked at; what follows is the same.
    Uninstalled,
    /// It contradicts another one.
    Conflict,
    /// It gives a plugin a new name that leads to none.
    Renamed,
}

struct Reader<'a, 'files> {
    files: &'files dyn Files,
    existing: Existing<'files>,
    plugins: Vec<Plugin<'a>>,
    diagnostics: Vec<Diagnostic>,
    /// The problems beyond the limit.
    unreported: usize,
    /// What the manifests of one product name, and their paths.
    listed: Vec<(String, Spot)>,
    names: Vec<Named<'a>>,
    known: Vec<Known<'a>>,
    refused: Vec<String>,
}

impl<'a> Reader<'a, '_> {
    fn read(&mut self, dialect: &'a Dialect, source: &PluginSource, directory: &str) {
        let mark = join(directory, &source.mark);
        let marketplace_path = join(&mark, &source.marketplace);
        let marketplace = self.manifest(&marketplace_path);
        if let Some(marketplace) = &marketplace {
            self.marketplace(dialect, source, directory, marketplace);
        }
        let manifest_path = join(&mark, &source.manifest);
        let manifest = self.manifest(&manifest_path);
        match &manifest {
            Some(manifest) => {
                let value = &manifest.root;
                let declared = Declared { manifest, value };
                self.know(&declared, dialect, None, Some(directory), Some(&manifest_path));
                self.plugin(dialect, source, directory, Some(&declared));
            }
            // A marketplace does not make its own directory a plugin.
            None if marketplace.is_none() && !self.is_reported(&manifest_path) => {
                self.plugin(dialect, source, directory, None);
                let is_unread = self.is_reported(&marketplace_path);
                self.refused.extend(is_unread.then(|| directory.into()));
            }
            None => {}
        }
        for manifest in [&marketplace, &manifest].into_iter().flatten() {
            self.name(dialect, manifest);
        }
        if let (1.., Some(last)) = (self.unreported, manifest.or(marketplace)) {
            let message = format!("{} more problems in the manifests here", self.unreported);
            let place = Place::beginning(&last.path);
            self.diagnostics
                .push(Diagnostic::new(&missing_plugin_file::RULE, place, message));
        }
    }

    /// Places what a manifest names.
    fn name(&mut self, dialect: &'a Dialect, manifest: &Manifest) {
        let source = Source::new(&manifest.bytes);
        let placer = Placer::new(&manifest.path, &source);
        let is_its = |(path, _): &mut (String, Spot)| *path == manifest.path;
        for (_, spot) in self.listed.extract_if(.., is_its) {
            self.names.push(spot.placed(dialect, &placer));
        }
    }

    fn list(&mut self, manifest: &Manifest, relation: Relation, name: &str, at: Span, target: Target) {
        let name = name.to_string();
        let spot = Spot {
            relation,
            name,
            at,
            target,
        };
        self.listed.push((manifest.path.clone(), spot));
    }

    /// Keeps the plugin's name and the names of the plugins that it depends on.
    fn know(
        &mut self,
        declared: &Declared<'_>,
        dialect: &'a Dialect,
        marketplace: Option<&str>,
        directory: Option<&str>,
        manifest: Option<&str>,
    ) {
        let Declared {
            manifest: file,
            value,
        } = *declared;
        if let Some(name) = value.get("name").and_then(text) {
            self.known.push(Known {
                dialect,
                name: name.to_string(),
                earlier: Vec::new(),
                marketplace: marketplace.map(ToString::to_string),
                directory: directory.map(ToString::to_string),
                path: manifest.unwrap_or(&file.path).to_string(),
                has_manifest: manifest.is_some(),
            });
        }
        let dependencies = value.get("dependencies").and_then(Node::items);
        for dependency in dependencies.unwrap_or_default().iter().take(NAMES) {
            let named = dependency.get("name").unwrap_or(dependency);
            let Some(name) = text(named).filter(|name| !name.is_empty()) else {
                continue;
            };
            let full = &full_name(name, dependency.get("marketplace").and_then(text));
            // Claude Code ignores a version here.
            let target = full.split_once("@^").map_or(&**full, |(name, _)| name);
            let target = Target::Plugin(target.to_string(), Verdict::Unknown);
            self.list(file, Relation::DependsOn, full, named.span, target);
        }
    }

    fn is_reported(&self, path: &str) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.primary.place.path == path)
    }

    /// A manifest that exists and is valid JSON.
    fn manifest(&mut self, path: &str) -> Option<Manifest> {
        let bytes = match self.files.read(path) {
            Err(FileError::NotFound) => return None,
            read => read,
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return self.unread(Place::beginning(path), &error.words()),
        };
        match parsed(&bytes) {
            Ok(root) => Some(Manifest {
                path: path.to_string(),
                bytes,
                root,
            }),
            Err((at, reason)) => {
                let source = Source::new(&bytes);
                let end = source.text.get(at..).and_then(|rest| rest.chars().next());
                let span = Span::new(at, at + end.map_or(0, char::len_utf8));
                let place = Anchor::new(&source, span).in_file(path);
                self.unread(place, &reason)
            }
        }
    }

    fn unread(&mut self, place: Place, reason: &str) -> Option<Manifest> {
        let message = format!("the manifest cannot be read: {reason}");
        self.diagnostics
            .push(Diagnostic::new(&invalid_manifest::RULE, place, message));
        None
    }

    fn plugin(
        &mut self,
        dialect: &'a Dialect,
        source: &PluginSource,
        directory: &str,
        declared: Option<&Declared<'_>>,
    ) {
        let parts = [
            (Kind::Agent, "agents", &source.directory),
            (Kind::Command, "commands", &source.commands),
            (Kind::Skill, "skills", &source.skills),
        ];
        let mut places = Vec::new();
        for (kind, key, usual) in parts {
            let Some(listed) = declared.map_or(Some(Vec::new()), |declared| self.listed(declared, key))
            else {
                return;
            };
            if let Some(declared) = declared {
                for (at, place) in listed {
                    let place = self.place(declared, directory, key, at, place);
                    places.extend(place.map(|place| (kind, place)));
                }
            }
            let has_key = declared.is_some_and(|declared| declared.value.get(key).is_some());
            if kind == Kind::Skill && !has_key && !self.existing.has(&join(directory, usual)) {
                // The plugin is one skill.
                let file = join(directory, SKILL);
                places.extend(self.existing.has(&file).then_some((kind, file)));
            } else if kind == Kind::Skill || !has_key {
                places.extend(below(directory, usual).map(|place| (kind, place)));
            }
        }
        if let Some(declared) = declared {
            self.others(declared, directory, source);
        }
        let settings = self.settings(dialect, source, directory, declared);
        let name = declared.and_then(|declared| text(declared.value.get("name")?));
        let folder = file_name(directory);
        self.plugins.push(Plugin {
            dialect,
            name: name.unwrap_or(folder).to_string(),
            directory: directory.to_string(),
            places,
            settings,
        });
    }

    /// Looks for the other files that a manifest names.
    fn others(&mut self, declared: &Declared<'_>, directory: &str, source: &PluginSource) {
        for key in &source.other_files {
            let value = declared.value.get(key).into_iter();
            let named = value.flat_map(|value| value.items().unwrap_or(core::slice::from_ref(value)));
            // Others are bundles with an address, or have a variable.
            let paths = named.filter_map(|node| Some((node, text(node)?)));
            let paths = paths.filter(|(_, written)| !written.contains("://") && !written.contains("${"));
            for (node, written) in paths.take(NAMES) {
                self.place(declared, directory, key, node.span, written);
            }
        }
        let commands = declared.value.get("commands").into_iter();
        let sources = commands
            .flat_map(Node::entries)
            .filter_map(|entry| entry.value.get("source"));
        for node in sources.take(NAMES) {
            if let Some(written) = text(node) {
                self.place(declared, directory, "commands", node.span, written);
            }
        }
    }

    /// The files of a plugin's hooks and servers: the usual ones, those that the manifest lists, and the manifest itself.
    fn settings(
        &mut self,
        dialect: &'a Dialect,
        source: &PluginSource,
        directory: &str,
        declared: Option<&Declared<'_>>,
    ) -> Vec<Settings<'a>> {
        let settings = |path, is_manifest| Settings {
            dialect,
            path,
            home: Home::Plugin(directory.to_string(), is_manifest),
        };
        let of_servers = &dialect.servers.key;
        let servers = declared.and_then(|declared| declared.value.get(of_servers));
        let mut files: Vec<String> = Vec::new();
        let hooks = dialect.hooks.plugin_file.iter();
        files.extend(hooks.map(|usual| join(directory, usual)));
        files.extend(server_files(directory, servers, &source.servers));
        let mut all = Vec::new();
        if let Some(declared) = declared {
            let is_own = core::ptr::eq(declared.value, &declared.manifest.root);
            let has_hooks = declared.value.get("hooks").is_some_and(is_object);
            if is_own && (has_hooks || servers.is_some()) {
                all.push(settings(declared.manifest.path.clone(), true));
            }
            if !has_hooks {
                for (at, written) in self.listed(declared, "hooks").unwrap_or_default() {
                    let file = self.place(declared, directory, "hooks", at, written);
                    files.extend(file.filter(|path| crate::settings::format(path).is_some()));
                }
            }
        }
        all.extend(files.into_iter().map(|path| settings(path, false)));
        all
    }

    /// The place that a manifest lists.
    fn place(
        &mut self,
        declared: &Declared<'_>,
        directory: &str,
        key: &str,
        at: Span,
        written: &str,
    ) -> Option<String> {
        let manifest = declared.manifest;
        let Some(place) = below(directory, written) else {
            let message = format!("`{written}` in `{key}` leads out of the plugin");
            self.report(manifest, Some(at), &Problem::Invalid, message, None);
            return None;
        };
        let missing = Problem::Missing(match key {
            "mcpServers" | "lspServers" => "none of its servers load",
            _ => "nothing is loaded from there",
        });
        let is_there = place == directory || self.existing.has(&place);
        let target = Target::file(place.clone(), is_there);
        self.list(manifest, Relation::LinksTo, written, at, target);
        if !is_there {
            let message = format!("`{written}` in `{key}` does not exist");
            self.report(manifest, Some(at), &missing, message, None);
        } else if key == "skills" && place.ends_with("/SKILL.md") {
            let message = format!("`{written}` in `skills` is a file");
            let folder = places::directory(written);
            let help = Some(format!("list its folder: `{folder}`"));
            self.report(manifest, Some(at), &missing, message, help);
        }
        Some(place)
    }

    /// The paths that a manifest lists, and where; none if it lists something else.
    fn listed<'m>(&mut self, declared: &Declared<'m>, key: &str) -> Option<Vec<(Span, &'m str)>> {
        let Some(value) = declared.value.get(key) else {
            return Some(Vec::new());
        };
        let texts = |nodes: &'m [Node]| {
            let nodes = nodes.iter();
            nodes.filter_map(|node| Some((node.span, text(node)?))).collect()
        };
        if text(value).is_some() {
            return Some(texts(core::slice::from_ref(value)));
        }
        if let Some(several) = value.items() {
            return Some(texts(several));
        }
        // Claude Code also takes commands by name.
        if key == "commands" && is_object(value) {
            return Some(Vec::new());
        }
        // The form of the plugin's own manifest is checked as a whole.
        if !core::ptr::eq(declared.value, &declared.manifest.root) {
            let message = format!("`{key}` is neither a path nor a list of paths");
            let at = Some(value.span);
            self.report(declared.manifest, at, &Problem::Invalid, message, None);
        }
        None
    }

    fn report(
        &mut self,
        manifest: &Manifest,
        at: Option<Span>,
        problem: &Problem,
        message: String,
        help: Option<String>,
    ) {
        if self.diagnostics.len() >= MANIFEST_PROBLEMS {
            self.unreported += 1;
            return;
        }
        let (rule, label) = match problem {
            Problem::Invalid => (&invalid_manifest::RULE, ""),
            Problem::Uninstalled => (&invalid_manifest::RULE, NOT_INSTALLED),
            Problem::Missing(label) => (&missing_plugin_file::RULE, *label),
            Problem::Conflict => (&invalid_manifest::RULE, "the plugin does not load"),
            Problem::Renamed => (&invalid_manifest::RULE, UNRENAMED),
        };
        let mut diagnostic = Diagnostic::new(rule, manifest.place(at), message);
        if matches!(problem, Problem::Renamed) {
            diagnostic.severity = Severity::Warning;
        }
        diagnostic.primary.text = label.to_string();
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
    }
}

impl Manifest {
    fn place(&self, at: Option<Span>) -> Place {
        match at {
            Some(span) => Anchor::new(&Source::new(&self.bytes), span).in_file(&self.path),
            None => Place::beginning(&self.path),
        }
    }
}

/// The name of a plugin with that of its marketplace.
fn full_name(name: &str, marketplace: Option<&str>) -> String {
    match marketplace {
        Some(marketplace) => [name, "@", marketplace].concat(),
        None => name.to_string(),
    }
}

/// The text of a value that is one: in JSON, `1` and `true` are none.
fn text(node: &Node) -> Option<&str> {
    node.as_text().filter(|_| !node.is_plain())
}

fn is_object(node: &Node) -> bool {
    matches!(node.kind, Shape::Mapping(_))
}

/// The value of a manifest, or where it cannot be read, and why.
fn parsed(bytes: &[u8]) -> Result<Node, (usize, String)> {
    if bytes.len() > FILE_BYTES {
        return Err((0, format!("it has more than {FILE_BYTES} bytes")));
    }
    if let Err(error) = core::str::from_utf8(bytes) {
        return Err((error.valid_up_to(), "it is not UTF-8".to_string()));
    }
    json::file(&Source::new(bytes), Json::Strict).map_err(|wrong| (wrong.at, wrong.message))
}

/// The files of a plugin's servers: those that the manifest lists, or the usual one.
pub(super) fn server_files(directory: &str, servers: Option<&Node>, usual: &str) -> Vec<String> {
    let Some(servers) = servers else {
        return Vec::from([join(directory, usual)]);
    };
    let listed = servers.items().unwrap_or(core::slice::from_ref(servers));
    let listed = listed.iter().filter_map(text);
    // Others are bundles.
    let listed = listed.filter(|path| crate::settings::format(path).is_some());
    listed.filter_map(|written| below(directory, written)).collect()
}

/// The path of a place in a manifest; none if it leads out of the directory.
fn below(directory: &str, place: &str) -> Option<String> {
    // A backslash separates on some systems.
    inside(directory, &place.replace('\\', "/"))?;
    inside(directory, place)
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn paths_stay_in_their_directory() {
        for (place, expected) in [
            ("./agents", Some("p/agents")),
            ("agents/a.md", Some("p/agents/a.md")),
            ("./", Some("p")),
            ("a/../b", Some("p/b")),
            ("../b", None),
            ("a/../../b", None),
            ("/etc", None),
            ("..\\b", None),
            ("a\\..\\..\\b", None),
            ("\\etc", None),
            ("./agents\\a.md", Some("p/agents\\a.md")),
        ] {
            assert_eq!(below("p", place).as_deref(), expected, "{place}");
        }
    }
}
