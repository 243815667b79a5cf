//! The files that a driver gets: everything at and below some names, as the host's confined files answer, or the places
//! themselves if the runtime has its own files, which must answer the same.

use std::env;

use callsheet_core::files::{FileError, FileKind, Files};
use serde_json::{Map, Value, json};

use super::values::Crossing;
use crate::backend::Backend;
use crate::commands::Settings;
use crate::disk::Disk;

/// Where the files come from.
#[derive(Clone)]
pub(super) struct World {
    /// The disk, confined as in the host.
    pub(super) disk: Disk,
    /// The places of the settings, for a runtime with its own files.
    places: Option<Value>,
}

impl World {
    pub(super) fn new(settings: &Settings, ancestors: &[String], backend: Backend) -> Self {
        Self {
            disk: Disk::new(settings, ancestors),
            places: (backend == Backend::Node).then(|| places(settings)),
        }
    }

    /// What is at and below these names.
    pub(super) fn at(&self, names: &[String]) -> Value {
        let Some(places) = &self.places else {
            return files(&self.disk, names);
        };
        let mut places = places.clone();
        places["seen"] = json!(names);
        json!({ "disk": places })
    }

    /// The same, with what is at and below paths that the user names.
    pub(super) fn with(&self, names: &[String], named: &[String]) -> Value {
        if self.places.is_none() {
            return files(&self.disk, &[names, named].concat());
        }
        let mut files = self.at(names);
        files["disk"]["named"] = named.iter().map(|name| place(name)).collect();
        files
    }

    /// What is at and below a path that the user names, wherever it is.
    pub(super) fn named(&self, path: &str) -> Value {
        let mut files = self.at(&[path.to_owned()]);
        if let Some(Value::Array(directories)) = files.pointer_mut("/disk/directories") {
            directories.push(place(path));
        }
        files
    }
}

/// The driver has a different working directory.
fn places(settings: &Settings) -> Value {
    let plugins = settings.plugins.iter().map(|(_, directory)| place(directory));
    json!({
        "project": place(&settings.project),
        "home": place(&settings.home),
        "plugins": plugins.collect::<Value>(),
        "directories": settings.directories.iter().map(|name| place(name)).collect::<Value>(),
        "followLinks": settings.follow_links,
    })
}

fn place(name: &str) -> Value {
    let here = env::current_dir().expect("it was just entered");
    json!({ "name": name, "path": here.join(name) })
}

/// Everything at and below these names.
fn files(disk: &Disk, names: &[String]) -> Value {
    let mut lent = Lent {
        disk,
        directories: Map::new(),
        contents: Map::new(),
    };
    names.iter().for_each(|name| lent.add(name));
    json!({ "directories": lent.directories, "contents": lent.contents })
}

struct Lent<'a> {
    disk: &'a Disk,
    directories: Map<String, Value>,
    contents: Map<String, Value>,
}

impl Lent<'_> {
    fn add(&mut self, path: &str) {
        if self.directories.contains_key(path) {
            return;
        }
        match self.disk.list(path) {
            Ok(entries) => {
                let listed = entries.iter().map(|entry| {
                    json!({
                        "name": entry.name,
                        "kind": kind(entry.kind),
                        "size": entry.stamp.size.to_value(),
                        "modified": entry.stamp.modified.to_value(),
                    })
                });
                self.directories.insert(path.to_owned(), listed.collect());
                for entry in &entries {
                    let path = join(path, &entry.name);
                    match entry.kind {
                        FileKind::Directory => self.add(&path),
                        _ => self.read(&path),
                    }
                }
            }
            Err(FileError::NotFound) => {}
            Err(reason) => {
                self.directories
                    .insert(path.to_owned(), json!({ "error": error(reason) }));
                self.read(path);
            }
        }
    }

    fn read(&mut self, path: &str) {
        let contents = match self.disk.read(path) {
            Ok(contents) => contents.to_value(),
            Err(reason) => json!({ "error": error(reason) }),
        };
        self.contents.insert(path.to_owned(), contents);
    }
}

/// As the component joins them.
fn join(directory: &str, name: &str) -> String {
    match directory {
        "" | "." => name.to_owned(),
        "/" => format!("/{name}"),
        _ => format!("{directory}/{name}"),
    }
}

fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Link => "link",
        FileKind::Other => "other",
    }
}

fn error(error: FileError) -> Value {
    match error {
        FileError::NotFound => json!({ "tag": "not-found" }),
        FileError::Denied => json!({ "tag": "denied" }),
        FileError::NotADirectory => json!({ "tag": "not-a-directory" }),
        FileError::TooLarge(size) => json!({ "tag": "too-large", "val": size.to_value() }),
        FileError::Other(reason) => json!({ "tag": "other", "val": reason }),
    }
}
