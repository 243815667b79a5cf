//! Plugins: the folders and files of agents, skills and commands that manifests declare.
//!
//! Source: Claude Code's plugin and marketplace reference. `agents` and `commands` of a manifest replace the default folder, `skills` adds
//! to it; a marketplace entry may define a plugin without a manifest of its own.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::listed::Existing;
use super::settings::{Home, Settings};
use crate::diagnostic::{Anchor, Diagnostic, Place};
use crate::dialect::{Dialect, Dialects, Kind, PluginSource};
use crate::files::{FileEntry, FileError, FileKind, Files, join};
use crate::json::{self, Step, Value};
use crate::limits::{FILE_BYTES, MANIFEST_PROBLEMS};
use crate::rules::{invalid_manifest, missing_plugin_file};
use crate::source::Source;
use crate::span::Span;

/// A plugin and its files.
pub(super) struct Plugin<'a> {
    /// The dialect that loads it.
    pub(super) dialect: &'a Dialect,
    /// Its name.
    pub(super) name: String,
    /// Its folders and files, and what they define.
    pub(super) places: Vec<(Kind, String)>,
    /// The files of its hooks.
    pub(super) hooks: Vec<Settings<'a>>,
}

/// The plugins that the manifests in `directory` declare, and the findings in the manifests. Files outside of `top` are not looked for.
pub(super) fn declared<'a>(
    files: &dyn Files,
    dialects: &'a Dialects,
    top: &str,
    directory: &str,
    entries: &[FileEntry],
) -> (Vec<Plugin<'a>>, Vec<Diagnostic>) {
    let mut reader = Reader {
        files,
        existing: Existing::new(files, top),
        plugins: Vec::new(),
        diagnostics: Vec::new(),
        unreported: 0,
    };
    for dialect in dialects.iter() {
        let is_mark = |entry: &FileEntry, mark: &str| entry.kind == FileKind::Directory && entry.name == mark;
        if let Some(source) = &dialect.plugin_source
            && entries.iter().any(|entry| is_mark(entry, &source.mark))
        {
            reader.read(dialect, source, directory);
        }
    }
    (reader.plugins, reader.diagnostics)
}

/// A manifest that is valid JSON.
struct Manifest {
    path: String,
    bytes: Vec<u8>,
    value: Value,
}

/// What a manifest, or an entry of a marketplace, says of a plugin.
struct Declared<'m> {
    manifest: &'m Manifest,
    /// From the whole manifest to it.
    steps: Vec<Step<'m>>,
    value: &'m Value,
}

/// What a problem of a manifest is about.
enum Problem {
    /// It says something that cannot be read.
    Invalid,
    /// It names a path that is not there; the text says what follows.
    Missing(&'static str),
}

struct Reader<'a, 'files> {
    files: &'files dyn Files,
    existing: Existing<'files>,
    plugins: Vec<Plugin<'a>>,
    diagnostics: Vec<Diagnostic>,
    /// The problems beyond the limit.
    unreported: usize,
}

impl<'a> Reader<'a, '_> {
    fn read(&mut self, dialect: &'a Dialect, source: &PluginSource, directory: &str) {
        let mark = join(directory, &source.mark);
        let marketplace = self.manifest(&join(&mark, &source.marketplace));
        if let Some(marketplace) = &marketplace {
            self.marketplace(dialect, source, directory, marketplace);
        }
        let manifest_path = join(&mark, &source.manifest);
        let manifest = self.manifest(&manifest_path);
        match &manifest {
            Some(manifest) => {
                let (steps, value) = (Vec::new(), &manifest.value);
                let declared = Declared {
                    manifest,
                    steps,
                    value,
                };
                self.plugin(dialect, source, directory, Some(&declared));
            }
            // A marketplace does not make its own directory a plugin.
            None if marketplace.is_none() && !self.is_reported(&manifest_path) => {
                self.plugin(dialect, source, directory, None);
            }
            None => {}
        }
        if let (1.., Some(last)) = (self.unreported, manifest.or(marketplace)) {
            let message = format!("{} more problems in the manifests here", self.unreported);
            let place = Place::beginning(&last.path);
            self.diagnostics
                .push(Diagnostic::new(&missing_plugin_file::RULE, place, message));
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
        let read = bytes
            .map_err(|error| error.words())
            .and_then(|bytes| Ok((parsed(&bytes)?, bytes)));
        match read {
            Ok((value, bytes)) => Some(Manifest {
                path: path.to_string(),
                bytes,
                value,
            }),
            Err(reason) => {
                let message = format!("the manifest cannot be read: {reason}");
                let place = Place::beginning(path);
                self.diagnostics
                    .push(Diagnostic::new(&invalid_manifest::RULE, place, message));
                None
            }
        }
    }

    fn marketplace(
        &mut self,
        dialect: &'a Dialect,
        source: &PluginSource,
        directory: &str,
        marketplace: &Manifest,
    ) {
        let value = &marketplace.value;
        let root = value
            .get("metadata")
            .and_then(|metadata| metadata.get("pluginRoot"));
        let root = root.and_then(Value::text).unwrap_or_default();
        let Some(Value::List(entries)) = value.get("plugins") else {
            let message = "the marketplace has no list `plugins`".to_string();
            return self.report(marketplace, &[], &Problem::Invalid, message, None);
        };
        for (number, value) in entries.iter().enumerate() {
            // Other kinds of sources are fetched from elsewhere.
            let Some(written) = value.get("source").and_then(Value::text) else {
                continue;
            };
            let place = if written.starts_with("./") {
                written.to_string()
            } else {
                join(root, written)
            };
            let steps = alloc::vec![Step::Key("plugins"), Step::Item(number)];
            let at = [&steps[..], &[Step::Key("source")]].concat();
            match below(directory, &place) {
                Some(plugin) if plugin != directory && !self.existing.has(&plugin) => {
                    let missing = Problem::Missing("the plugin cannot be installed");
                    let message = format!("the source `{written}` does not exist");
                    self.report(marketplace, &at, &missing, message, None);
                }
                Some(plugin) if lists_files(value) || !self.has_manifest(source, &plugin) => {
                    let declared = Declared {
                        manifest: marketplace,
                        steps,
                        value,
                    };
                    self.plugin(dialect, source, &plugin, Some(&declared));
                }
                // Its own manifest declares its agents.
                Some(_) => {}
                None => {
                    let message = format!("the source `{place}` leads out of the marketplace");
                    self.report(marketplace, &at, &Problem::Invalid, message, None);
                }
            }
        }
    }

    fn has_manifest(&self, source: &PluginSource, plugin: &str) -> bool {
        let manifest = join(&join(plugin, &source.mark), &source.manifest);
        !matches!(self.files.read(&manifest), Err(FileError::NotFound))
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
                for (steps, place) in &listed {
                    let place = self.place(declared, directory, key, steps, place);
                    places.extend(place.map(|place| (kind, place)));
                }
            }
            let has_key = declared.is_some_and(|declared| declared.value.get(key).is_some());
            if kind == Kind::Skill || !has_key {
                places.extend(below(directory, usual).map(|place| (kind, place)));
            }
        }
        let hooks = self.hooks(dialect, directory, declared);
        let name = declared.and_then(|declared| declared.value.get("name")?.text());
        let folder = directory.rsplit('/').next().unwrap_or_default();
        self.plugins.push(Plugin {
            dialect,
            name: name.unwrap_or(folder).to_string(),
            places,
            hooks,
        });
    }

    /// The files of a plugin's hooks: the usual one, those that the manifest lists, and the manifest itself.
    fn hooks(
        &mut self,
        dialect: &'a Dialect,
        directory: &str,
        declared: Option<&Declared<'_>>,
    ) -> Vec<Settings<'a>> {
        let settings = |path, is_manifest| Settings {
            dialect,
            path,
            home: Home::Plugin(directory.to_string(), is_manifest),
        };
        let usual = dialect.hooks.plugin_file.iter();
        let mut hooks: Vec<_> = usual
            .map(|usual| settings(join(directory, usual), false))
            .collect();
        let Some(declared) = declared else {
            return hooks;
        };
        if let Some(Value::Object(_)) = declared.value.get("hooks") {
            let is_own = declared.steps.is_empty();
            hooks.extend(is_own.then(|| settings(declared.manifest.path.clone(), true)));
            return hooks;
        }
        for (steps, written) in self.listed(declared, "hooks").unwrap_or_default() {
            let place = self.place(declared, directory, "hooks", &steps, written);
            hooks.extend(place.map(|place| settings(place, false)));
        }
        hooks
    }

    /// The place that a manifest lists.
    fn place(
        &mut self,
        declared: &Declared<'_>,
        directory: &str,
        key: &str,
        steps: &[Step<'_>],
        written: &str,
    ) -> Option<String> {
        let manifest = declared.manifest;
        let Some(place) = below(directory, written) else {
            let message = format!("`{written}` in `{key}` leads out of the plugin");
            self.report(manifest, steps, &Problem::Invalid, message, None);
            return None;
        };
        let missing = Problem::Missing("the plugin fails to load");
        if place != directory && !self.existing.has(&place) {
            let message = format!("`{written}` in `{key}` does not exist");
            self.report(manifest, steps, &missing, message, None);
        } else if key == "skills" && place.ends_with("/SKILL.md") {
            let message = format!("`{written}` in `skills` is a file");
            let folder = written.rsplit_once('/').map_or(".", |(folder, _)| folder);
            let help = Some(format!("list its folder: `{folder}`"));
            self.report(manifest, steps, &missing, message, help);
        }
        Some(place)
    }

    /// The paths that a manifest lists, and where; none if it lists something else.
    fn listed<'m>(&mut self, declared: &Declared<'m>, key: &'m str) -> Option<Vec<(Vec<Step<'m>>, &'m str)>> {
        let steps = [&declared.steps[..], &[Step::Key(key)]].concat();
        match declared.value.get(key) {
            None => Some(Vec::new()),
            Some(Value::Text(one)) => Some(alloc::vec![(steps, one)]),
            Some(Value::List(several)) => {
                let several = several.iter().enumerate();
                let listed = several.filter_map(|(number, path)| {
                    Some(([&steps[..], &[Step::Item(number)]].concat(), path.text()?))
                });
                Some(listed.collect())
            }
            // Claude Code also takes commands by name.
            Some(Value::Object(_)) if key == "commands" => Some(Vec::new()),
            Some(_) => {
                let message = format!("`{key}` is neither a path nor a list of paths");
                self.report(declared.manifest, &steps, &Problem::Invalid, message, None);
                None
            }
        }
    }

    fn report(
        &mut self,
        manifest: &Manifest,
        steps: &[Step<'_>],
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
            Problem::Missing(label) => (&missing_plugin_file::RULE, *label),
        };
        let mut diagnostic = Diagnostic::new(rule, manifest.place(steps), message);
        diagnostic.primary.text = label.to_string();
        diagnostic.help = help;
        self.diagnostics.push(diagnostic);
    }
}

impl Manifest {
    fn place(&self, steps: &[Step<'_>]) -> Place {
        let text = text(&self.bytes).unwrap_or_default();
        let start = self.bytes.len() - text.len();
        match json::place(text, steps).filter(|_| !steps.is_empty()) {
            Some(span) => {
                let span = Span::new(start + span.start.index(), start + span.end.index());
                Anchor::new(&Source::new(&self.bytes), span).in_file(&self.path)
            }
            None => Place::beginning(&self.path),
        }
    }
}

/// Whether a marketplace entry declares files itself.
fn lists_files(entry: &Value) -> bool {
    ["agents", "commands", "skills"]
        .iter()
        .any(|key| entry.get(key).is_some())
}

fn parsed(bytes: &[u8]) -> Result<Value, String> {
    if bytes.len() > FILE_BYTES {
        return Err(format!("it has more than {FILE_BYTES} bytes"));
    }
    json::parse(text(bytes).ok_or("it is not UTF-8")?)
}

/// The text after a byte order mark; none if it is not UTF-8.
fn text(bytes: &[u8]) -> Option<&str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    core::str::from_utf8(bytes).ok()
}

/// The path of a place in a manifest; none if it leads out of the directory.
fn below(directory: &str, place: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    if place.starts_with('/') || place.contains('\\') {
        return None;
    }
    for part in place.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return Some(directory.to_string());
    }
    Some(join(directory, &parts.join("/")))
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
        ] {
            assert_eq!(below("p", place).as_deref(), expected, "{place}");
        }
    }
}
