//! Plugins: the folders and files of agents, skills and commands that manifests declare.
//!
//! Source: Claude Code's plugin and marketplace reference. `agents` and `commands` of a manifest replace the default folder, `skills` adds
//! to it; a marketplace entry may define a plugin without a manifest of its own.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::diagnostic::{Diagnostic, Place};
use crate::dialect::{Dialect, Dialects, Kind, PluginSource};
use crate::files::{FileEntry, FileError, FileKind, Files, join};
use crate::json::{self, Value};
use crate::limits::FILE_BYTES;
use crate::rules::invalid_manifest::RULE;

/// A plugin and its files.
#[derive(Debug)]
pub(super) struct Plugin<'a> {
    /// The dialect that loads it.
    pub(super) dialect: &'a Dialect,
    /// Its name.
    pub(super) name: String,
    /// Its folders and files, and what they define.
    pub(super) places: Vec<(Kind, String)>,
}

/// The plugins that the manifests in `directory` declare, and the findings in the manifests.
pub(super) fn declared<'a>(
    files: &dyn Files,
    dialects: &'a Dialects,
    directory: &str,
    entries: &[FileEntry],
) -> (Vec<Plugin<'a>>, Vec<Diagnostic>) {
    let mut reader = Reader {
        files,
        plugins: Vec::new(),
        diagnostics: Vec::new(),
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

struct Reader<'a, 'files> {
    files: &'files dyn Files,
    plugins: Vec<Plugin<'a>>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Reader<'a, '_> {
    fn read(&mut self, dialect: &'a Dialect, source: &PluginSource, directory: &str) {
        let mark = join(directory, &source.mark);
        let marketplace = self.manifest(&join(&mark, &source.marketplace));
        if let Some((path, marketplace)) = &marketplace {
            self.marketplace(dialect, source, directory, path, marketplace);
        }
        let manifest_path = join(&mark, &source.manifest);
        match self.manifest(&manifest_path) {
            Some((path, manifest)) => self.plugin(dialect, source, directory, &path, &manifest),
            // A marketplace does not make its own directory a plugin.
            None if marketplace.is_none() && !self.is_reported(&manifest_path) => {
                self.plugin(dialect, source, directory, &manifest_path, &Value::Null);
            }
            None => {}
        }
    }

    fn is_reported(&self, path: &str) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.primary.place.path == path)
    }

    /// A manifest that exists and is valid JSON.
    fn manifest(&mut self, path: &str) -> Option<(String, Value)> {
        let bytes = match self.files.read(path) {
            Err(FileError::NotFound) => return None,
            read => read,
        };
        let value = bytes
            .map_err(|error| error.words())
            .and_then(|bytes| parsed(&bytes));
        match value {
            Ok(value) => Some((path.to_string(), value)),
            Err(reason) => {
                self.report(path, format!("the manifest cannot be read: {reason}"));
                None
            }
        }
    }

    fn marketplace(
        &mut self,
        dialect: &'a Dialect,
        source: &PluginSource,
        directory: &str,
        path: &str,
        marketplace: &Value,
    ) {
        let root = marketplace
            .get("metadata")
            .and_then(|metadata| metadata.get("pluginRoot"));
        let root = root.and_then(Value::text).unwrap_or_default();
        let Some(Value::List(entries)) = marketplace.get("plugins") else {
            self.report(path, "the marketplace has no list `plugins`".to_string());
            return;
        };
        for entry in entries {
            // Other kinds of sources are fetched from elsewhere.
            let Some(place) = entry.get("source").and_then(Value::text) else {
                continue;
            };
            let place = if place.starts_with("./") {
                place.to_string()
            } else {
                join(root, place)
            };
            match below(directory, &place) {
                Some(plugin) if lists_files(entry) || !self.has_manifest(source, &plugin) => {
                    self.plugin(dialect, source, &plugin, path, entry);
                }
                // Its own manifest declares its agents.
                Some(_) => {}
                None => self.report(path, format!("the source `{place}` leads out of the marketplace")),
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
        path: &str,
        manifest: &Value,
    ) {
        let parts = [
            (Kind::Agent, "agents", &source.directory),
            (Kind::Command, "commands", &source.commands),
            (Kind::Skill, "skills", &source.skills),
        ];
        let mut places = Vec::new();
        for (kind, key, usual) in parts {
            let Some(mut listed) = self.listed(path, manifest, key) else {
                return;
            };
            if kind == Kind::Skill || manifest.get(key).is_none() {
                listed.push(usual);
            }
            for place in listed {
                match below(directory, place) {
                    Some(place) => places.push((kind, place)),
                    None => self.report(path, format!("`{place}` in `{key}` leads out of the plugin")),
                }
            }
        }
        let name = manifest.get("name").and_then(Value::text);
        let folder = directory.rsplit('/').next().unwrap_or_default();
        self.plugins.push(Plugin {
            dialect,
            name: name.unwrap_or(folder).to_string(),
            places,
        });
    }

    /// The paths that a manifest lists; none if it lists something else.
    fn listed<'v>(&mut self, path: &str, manifest: &'v Value, key: &str) -> Option<Vec<&'v str>> {
        match manifest.get(key) {
            None => Some(Vec::new()),
            Some(Value::Text(one)) => Some(alloc::vec![one]),
            Some(Value::List(several)) => Some(several.iter().filter_map(Value::text).collect()),
            // Claude Code also takes commands by name.
            Some(Value::Object(_)) if key == "commands" => Some(Vec::new()),
            Some(_) => {
                self.report(path, format!("`{key}` is neither a path nor a list of paths"));
                None
            }
        }
    }

    fn report(&mut self, path: &str, message: String) {
        self.diagnostics
            .push(Diagnostic::new(&RULE, Place::beginning(path), message));
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
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = core::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_string())?;
    json::parse(text)
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
