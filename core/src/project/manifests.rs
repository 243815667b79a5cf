//! Manifests whose formats are data.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memmem;

use super::listed::Existing;
use super::named::{Named, Target};
use super::plugins::{Plugin, server_files};
use super::settings::{Home, Settings};
use crate::catalog::{Relation, servers};
use crate::diagnostic::{Diagnostic, Finding, Place, Placer, Severity};
use crate::dialect::{Dialects, Json, Kind};
use crate::files::{FileEntry, FileError, FileKind, Files, Surroundings, join};
use crate::json;
use crate::limits::{FILE_BYTES, NAMES};
use crate::manifests::{Folder, Format, Judgement, Places, accepts, check, formats};
use crate::places::{is_within, normal};
use crate::rules::invalid_manifest;
use crate::rules::secret::secrets;
use crate::source::Source;
use crate::span::Span;
use crate::yaml::Node;

/// What the manifests in a directory say.
#[derive(Default)]
pub(super) struct Found<'a> {
    /// The plugins that need nothing but their manifest.
    pub(super) plugins: Vec<Plugin<'a>>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The manifests that were checked.
    pub(super) read: Vec<String>,
    /// The plugins that marketplaces list.
    pub(super) names: Vec<Named<'a>>,
    /// Whether a plugin that is declared elsewhere, too, does not load.
    pub(super) is_refused: bool,
    /// Whether the same is true of a marketplace.
    pub(super) no_marketplace: bool,
}

/// The manifests in `directory`.
pub(super) fn found<'a>(
    files: &dyn Files,
    existing: &mut Existing<'_>,
    dialects: &'a Dialects,
    directory: &str,
    entries: &[FileEntry],
) -> Found<'a> {
    let mut found = Found::default();
    for format in formats().iter().filter(|format| !format.is_dependent) {
        let (first, kind) = match format.file.split_once('/') {
            Some((folder, _)) => (folder, FileKind::Directory),
            None => (format.file, FileKind::File),
        };
        let is_here = |entry: &FileEntry| entry.name == first && entry.kind == kind;
        if !entries.iter().any(is_here) {
            continue;
        }
        let mut reader = Reader {
            files,
            existing: &mut *existing,
            directory,
        };
        let Some(mut manifest) = reader.read(format) else {
            continue;
        };
        found.read.push(join(directory, format.file));
        found.diagnostics.extend(manifest.diagnostics);
        found.names.extend(manifest.names);
        if !manifest.is_valid {
            found.is_refused |= format.is_read_elsewhere && format.target.is_some();
            // An entry that is skipped is an error, too.
            let is_whole = |found: &Diagnostic| found.primary.text == format.shape.effect;
            let is_marketplace = format.is_read_elsewhere && format.target.is_none();
            found.no_marketplace |= is_marketplace && found.diagnostics.iter().any(is_whole);
            continue;
        }
        found.diagnostics.extend(no_folder(format, directory, entries));
        let then = format.then.map(|then| &formats()[then]);
        if let Some((then, servers)) = then.and_then(|then| Some((then, reader.read(then)?))) {
            let path = join(directory, then.file);
            found.read.push(path.clone());
            found.diagnostics.extend(servers.diagnostics);
            if servers.is_valid {
                manifest.servers.push((path, false));
            }
        }
        let plugin = plugin(dialects, format, directory, manifest.name, manifest.servers);
        found.plugins.extend(plugin);
    }
    found
}

/// A manifest of a format.
struct Read<'a> {
    name: String,
    is_valid: bool,
    diagnostics: Vec<Diagnostic>,
    names: Vec<Named<'a>>,
    /// The files of its servers, and whether each is the manifest.
    servers: Vec<(String, bool)>,
}

struct Reader<'f, 'e> {
    files: &'f dyn Files,
    existing: &'f mut Existing<'e>,
    directory: &'f str,
}

impl Reader<'_, '_> {
    /// The manifest of this format; none if there is no such file, or it may be of another format.
    fn read<'a>(&mut self, format: &Format) -> Option<Read<'a>> {
        let path = join(self.directory, format.file);
        let bytes = match self.files.read(&path) {
            Err(_) if format.is_read_elsewhere => return None,
            Err(FileError::NotFound) => return None,
            // A file that is only known by its contents may be another product's, but not one of megabytes.
            Err(error) if format.schema.is_none() || matches!(error, FileError::TooLarge(_)) => {
                return Some(unreadable(&path, &error.words()));
            }
            Err(_) => return None,
            Ok(bytes) => bytes,
        };
        let mark = format.schema.unwrap_or_default().as_bytes();
        if bytes.len() > FILE_BYTES {
            (!format.is_read_elsewhere).then_some(())?;
            memmem::find(&bytes, mark)?;
            let reason = format!("it has more than {FILE_BYTES} bytes");
            return Some(unreadable(&path, &reason));
        }
        let source = Source::new(&bytes);
        let mut servers = Vec::new();
        let (name, is_valid, judgement) = match json::file(&source, Json::Strict) {
            Ok(root) => {
                format.is_marked(&root).then_some(())?;
                let name = root.get("name").and_then(|name| name.as_text());
                let part = format.part(servers::OF_PLUGINS);
                if let (Some(part), Some(field)) = (part, format.shape.root.field(servers::OF_PLUGINS)) {
                    // A wrong value counts as none.
                    let is_read = |value: &&Node| !value.is_plain() && accepts(format, field, value);
                    let named = root.get(part.name).filter(is_read);
                    let files = server_files(self.directory, named, part.usual);
                    servers.extend(files.into_iter().map(|file| (file, false)));
                    servers.push((path.clone(), true));
                }
                let mut judgement = check(&format.shape, &root, self);
                if !format.is_read_elsewhere {
                    self.list(format, &root, &mut judgement);
                }
                let is_valid = judgement.is_valid();
                secrets(&source.text, Some(&root), &mut judgement.findings);
                (name.unwrap_or_default().into(), is_valid, judgement)
            }
            Err(_) if format.is_read_elsewhere => return None,
            Err(wrong) => {
                memmem::find(&bytes, mark)?;
                (String::new(), false, not_json(format, &source, &wrong))
            }
        };
        let (diagnostics, names) = placed(&path, self.directory, &source, judgement);
        Some(Read {
            name,
            is_valid,
            diagnostics,
            names,
            servers,
        })
    }
}

impl Reader<'_, '_> {
    /// Adds the files and folders that a manifest lists. Other texts than these may not be paths if nothing is there.
    fn list(&mut self, format: &Format, root: &Node, judgement: &mut Judgement) {
        for value in format.parts.iter().filter_map(|part| root.get(part.name)) {
            let value = value.get("paths").unwrap_or(value);
            let listed = value.items().unwrap_or(core::slice::from_ref(value));
            for node in listed.iter().filter(|node| !node.is_plain()).take(NAMES) {
                let written = node.as_text().unwrap_or_default();
                let path = normal(&join(self.directory, written));
                let is_in = path != self.directory && is_within(&path, self.existing.top());
                if !written.contains('/') || !is_in {
                    continue;
                }
                let is_there = self.existing.has(&path);
                if is_there || written.starts_with("./") && !written.contains(['*', '$']) {
                    judgement.sources.push(Folder {
                        written: written.into(),
                        at: node.span,
                        path: is_there.then(|| written.into()),
                    });
                }
            }
        }
    }
}

impl Places for Reader<'_, '_> {
    fn leads_out(&mut self, path: &str) -> bool {
        self.existing.leads_out(self.directory, path)
    }

    fn has(&mut self, path: &str) -> bool {
        self.existing.has(&join(self.directory, path))
    }
}

fn not_json(format: &Format, source: &Source<'_>, wrong: &json::Wrong) -> Judgement {
    let message = format!("the manifest cannot be read: {}", wrong.message);
    let end = source.text[wrong.at..].chars().next().map_or(0, char::len_utf8);
    let span = Span::new(wrong.at, wrong.at + end);
    let found = Finding::new(&invalid_manifest::RULE, span, message).label(format.shape.effect);
    Judgement {
        findings: Vec::from([found]),
        ..Judgement::default()
    }
}

fn unreadable<'a>(path: &str, reason: &str) -> Read<'a> {
    let message = format!("the manifest cannot be read: {reason}");
    let diagnostic = Diagnostic::new(&invalid_manifest::RULE, Place::beginning(path), message);
    Read {
        name: String::new(),
        is_valid: false,
        diagnostics: Vec::from([diagnostic]),
        names: Vec::new(),
        servers: Vec::new(),
    }
}

fn placed<'a>(
    path: &str,
    directory: &str,
    source: &Source<'_>,
    judgement: Judgement,
) -> (Vec<Diagnostic>, Vec<Named<'a>>) {
    let Judgement {
        mut findings,
        others,
        sources,
    } = judgement;
    if others > 0 {
        let message = format!("{others} more problems in this manifest");
        let found = Finding::new(&invalid_manifest::RULE, Span::at(0), message);
        findings.push(found.severity(Severity::Warning));
    }
    let placer = Placer::new(path, source);
    let names = sources.into_iter().map(|folder| {
        let is_there = folder.path.is_some();
        let path = folder.path.as_ref().unwrap_or(&folder.written);
        Named {
            owner: None,
            relation: Relation::LinksTo,
            target: Target::file(normal(&join(directory, path)), is_there),
            place: placer.place(folder.at),
            name: folder.written,
        }
    });
    let names = names.collect();
    let findings = findings.into_iter().map(|found| placer.diagnostic(found));
    (findings.collect(), names)
}

/// The plugin, with its skills, and with the servers of a dialect whose plugins are not read elsewhere.
fn plugin<'a>(
    dialects: &'a Dialects,
    format: &Format,
    directory: &str,
    name: String,
    servers: Vec<(String, bool)>,
) -> Option<Plugin<'a>> {
    let (dialect, skills) = match format.skills {
        Some((dialect, folder)) => (dialects.get_for(dialect, Kind::Skill), Some(folder)),
        None => (dialects.get(format.target?), None),
    };
    let dialect = dialect.ok()?;
    let places = skills.map(|folder| (Kind::Skill, join(directory, folder)));
    let servers = servers.into_iter().filter(|_| dialect.plugin_source.is_none());
    let settings = servers.map(|(path, is_manifest)| Settings {
        dialect,
        path,
        home: Home::Plugin(directory.into(), is_manifest),
    });
    Some(Plugin {
        dialect,
        name,
        directory: directory.into(),
        places: places.into_iter().collect(),
        settings: settings.collect(),
    })
}

/// A file, or a link that leads out of the plugin, in the place of the folder of skills.
fn no_folder(format: &Format, directory: &str, entries: &[FileEntry]) -> Option<Diagnostic> {
    let (_, folder) = format.skills?;
    let is_wrong = |entry: &&FileEntry| entry.name == folder && entry.kind != FileKind::Directory;
    entries.iter().find(is_wrong)?;
    let place = Place::beginning(&join(directory, folder));
    let message = format!("`{folder}` is not a directory in the plugin");
    let mut diagnostic = Diagnostic::new(&invalid_manifest::RULE, place, message);
    diagnostic.severity = Severity::Warning;
    diagnostic.primary.text = "clients load no skill of the plugin".into();
    Some(diagnostic)
}
