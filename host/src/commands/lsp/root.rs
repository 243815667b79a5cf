//! A folder of the editor: its project, the findings in it, and its graph.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use callsheet::config::Skips;
use callsheet::documents::Found;
use callsheet::output::report::Finding;
use callsheet::projects::{Checked, Graph, Request};

use crate::cli::Options;
use crate::commands::check;
use crate::commands::context::Context;
use crate::exit::Failure;

pub(super) struct Root {
    /// Its directory, without links.
    pub(super) directory: PathBuf,
    pub(super) context: Context,
    /// The files that were checked last.
    known: BTreeMap<PathBuf, Checked>,
    findings: BTreeMap<PathBuf, Vec<Finding>>,
    /// None after a change.
    graph: Option<Graph>,
}

impl Root {
    /// Fails if it is not a directory.
    pub(super) fn open(options: &Options, directory: &Path) -> Result<Self, Failure> {
        let canonical = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let options = Options {
            project: canonical.clone(),
            // The notes of a check are for people at a terminal.
            quiet: true,
            ..options.clone()
        };
        Ok(Self {
            directory: canonical,
            context: Context::new(options, true)?,
            known: BTreeMap::new(),
            findings: BTreeMap::new(),
            graph: None,
        })
    }

    /// Reads the configuration. Fails if it cannot be read: then the last one applies.
    pub(super) fn configure(&mut self) -> Result<(), Failure> {
        self.context.configure()
    }

    /// Sets the unsaved contents of a file, or forgets them.
    pub(super) fn set_unsaved(&mut self, path: &Path, contents: Option<&str>) {
        self.graph = None;
        match contents {
            Some(contents) => {
                let contents = contents.as_bytes().to_vec();
                // Without its directory, no tool reads the file.
                let _ = self.context.callsheet.set_unsaved(path, contents);
            }
            None => self.context.callsheet.forget_unsaved(path),
        }
    }

    /// Checks the whole project.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        self.graph = None;
        self.known.clear();
        self.findings.clear();
        self.take(Vec::new())
    }

    /// Checks some files of the project, each with the path in its address, which may be a link.
    pub(super) fn check_files(&mut self, files: &BTreeMap<PathBuf, PathBuf>) -> Result<(), Failure> {
        self.graph = None;
        let name = |(path, address): (&PathBuf, &PathBuf)| match self.known(path) {
            Some(_) => self.name(path),
            None => address.to_string_lossy().into_owned(),
        };
        let names = files.iter().map(name).collect();
        for path in files.keys() {
            self.known.remove(path);
            self.findings.remove(path);
        }
        self.take(names)
    }

    /// Takes in the findings of these files, or of all.
    fn take(&mut self, names: Vec<String>) -> Result<(), Failure> {
        let request = self.request(names);
        let mut report = self.context.callsheet.check(&request)?;
        // Opening a file in an editor does not ask for checking what is excluded.
        let skips = Skips::new(&self.context.config, &[]);
        report.files.retain(|file| skips.of(&file.path).is_none());
        report
            .findings
            .retain(|found| skips.of(&found.diagnostic.primary.place.path).is_none());
        for file in report.files.clone() {
            if let Some(path) = self.system_path(&file.path) {
                self.known.insert(path, file);
            }
        }
        let checked = check::configured(report, &self.context.config);
        for finding in checked.reported() {
            let path = self.system_path(&finding.diagnostic.primary.place.path);
            // Editors show no findings about directories.
            let Some(path) = path.filter(|path| !path.is_dir()) else {
                continue;
            };
            self.findings.entry(path).or_default().push(finding.clone());
        }
        Ok(())
    }

    /// A request about these files, or about all.
    pub(super) fn request(&self, names: Vec<String>) -> Request {
        Request {
            dialect: self.context.options.dialect.clone(),
            targets: self.context.config.targets.clone(),
            paths: names,
        }
    }

    /// The name of a file for a check: the last one that a tool found it under, which a link may lead to.
    pub(super) fn name(&self, path: &Path) -> String {
        let known = self.known.get(path).map(|file| &file.path);
        match known.filter(|name| Path::new(name).is_absolute()) {
            Some(name) => name.clone(),
            None => path.to_string_lossy().into_owned(),
        }
    }

    /// The findings in a file, sorted by place.
    pub(super) fn findings(&self, path: &Path) -> &[Finding] {
        self.findings.get(path).map(Vec::as_slice).unwrap_or_default()
    }

    /// The files with findings.
    pub(super) fn found(&self) -> impl Iterator<Item = &PathBuf> {
        self.findings.keys()
    }

    /// What is known about a file; none if no tool reads it.
    pub(super) fn known(&self, path: &Path) -> Option<&Checked> {
        self.known.get(path)
    }

    /// The known file that a path is, or that makes a folder of this path a definition.
    pub(super) fn defined_by(&self, path: &Path) -> Option<PathBuf> {
        if self.known.contains_key(path) {
            return Some(path.to_owned());
        }
        let mut inside = self.known.keys().filter(|known| known.parent() == Some(path));
        let first = inside.next()?;
        inside.next().is_none().then(|| first.clone())
    }

    /// A known file, and the dialect that checks it.
    pub(super) fn found_as(&self, path: &Path) -> Option<Found> {
        let file = self.known(path)?;
        Some(Found {
            path: file.path.clone(),
            dialect: Some(file.dialects.first()?.clone()),
            level: Some(file.level),
        })
    }

    /// What the files of the project are and name.
    pub(super) fn graph(&mut self) -> Result<&Graph, Failure> {
        if self.graph.is_none() {
            self.graph = Some(self.context.callsheet.graph()?);
        }
        Ok(self.graph.as_ref().expect("it was just set"))
    }

    /// The path of a file in a report, without links.
    pub(super) fn system_path(&mut self, name: &str) -> Option<PathBuf> {
        real(&self.context.callsheet.system_path(name)?)
    }
}

/// The path of a file or a directory without links. A new file need not exist, but its directory must.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    let new = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(new)
}
