//! A folder of the editor: its project, the findings in it, and its graph.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use callsheet_contract::documents::{Found, Parsed};
use callsheet_contract::projects::{self, Checked, Counts, Edge, Graph, Report, Request};
use callsheet_contract::types::Level;
use callsheet_report::report::Finding;

use super::glance::Glance;
use super::host::{Answers, Failure, Folder, Host};

/// The rule about secrets, whose own texts have none.
const SECRET: &str = "secret";

pub(super) struct Root {
    /// Its directory, without links.
    pub(super) directory: PathBuf,
    pub(super) folder: Box<dyn Folder>,
    host: Rc<dyn Host>,
    /// The definitions that were checked last.
    known: BTreeMap<PathBuf, Checked>,
    /// The other files that were checked, with their names in the report: settings, instructions and manifests.
    others: BTreeMap<PathBuf, String>,
    findings: BTreeMap<PathBuf, Vec<Finding>>,
    /// The open files, as of the last look at them and the others.
    glances: BTreeMap<PathBuf, Glance>,
    /// None after a change.
    graph: Option<Named>,
    /// How often it changed.
    changes: u64,
}

impl Root {
    /// Fails if it is not a directory.
    pub(super) fn open(host: &Rc<dyn Host>, directory: &Path) -> Result<Self, Failure> {
        let directory = host.real(directory).unwrap_or_else(|| directory.to_owned());
        Ok(Self {
            folder: host.open(&directory)?,
            host: Rc::clone(host),
            directory,
            known: BTreeMap::new(),
            others: BTreeMap::new(),
            findings: BTreeMap::new(),
            glances: BTreeMap::new(),
            graph: None,
            changes: 0,
        })
    }

    /// Reads the configuration. Fails if it cannot be read: then the last one applies.
    pub(super) fn configure(&mut self) -> Result<(), Failure> {
        self.folder.configure()
    }

    /// Sets the unsaved contents of a file, or forgets them.
    pub(super) fn set_unsaved(&mut self, path: &Path, contents: Option<&str>) {
        self.forget_graph();
        self.folder.set_unsaved(path, contents.map(str::as_bytes));
    }

    /// Finds out what a text without a path is, and what is wrong with it alone.
    pub(super) fn guess(&mut self, address: &Path, contents: &[u8]) -> Result<(), Failure> {
        self.forget([&address.to_owned()].into_iter());
        let Some(guessed) = self.folder.guess(contents)? else {
            return Ok(());
        };
        let file = Checked {
            path: self.directory.join(guessed.path).to_string_lossy().into_owned(),
            kind: guessed.kind,
            dialects: vec![guessed.dialect],
            level: Level::Project,
            in_project: true,
        };
        self.known.insert(address.to_owned(), file);
        if let Some(mut parsed) = self.parsed(address, contents)? {
            if has_secret(&parsed) {
                parsed.diagnostics.retain(|found| found.rule == SECRET);
            }
            let found = self.reported(address, parsed);
            self.findings.insert(address.to_owned(), found);
        }
        Ok(())
    }

    /// Checks the whole project.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        self.forget_graph();
        self.known.clear();
        self.others.clear();
        self.findings.clear();
        self.glances.clear();
        let request = self.folder.request(Vec::new());
        let report = self.folder.check(&request)?;
        self.take(report);
        Ok(())
    }

    /// Checks some files of the project, each with the path in its address, which may be a link.
    pub(super) fn check_files(&mut self, files: &BTreeMap<PathBuf, PathBuf>) -> Result<(), Failure> {
        let name = |(path, address): (&PathBuf, &PathBuf)| {
            if self.reads(path) {
                self.name(path)
            } else {
                address.to_string_lossy().into_owned()
            }
        };
        let names = files.iter().map(name).collect();
        self.forget(files.keys());
        let request = self.folder.request(names);
        let report = self.folder.check(&request)?;
        self.take(report);
        Ok(())
    }

    fn forget_graph(&mut self) {
        self.graph = None;
        self.changes += 1;
    }

    fn forget<'a>(&mut self, paths: impl Iterator<Item = &'a PathBuf>) {
        for path in paths {
            self.known.remove(path);
            self.findings.remove(path);
            self.glances.remove(path);
        }
    }

    /// Remembers what was found in an open file with these contents, to answer the next keystroke.
    pub(super) fn keep(&mut self, path: &Path, contents: &[u8]) -> Result<(), Failure> {
        if let Some(own) = self.own(path, contents)? {
            let glance = Glance::new(contents.to_owned(), self.findings(path), &own);
            self.glances.insert(path.to_owned(), glance);
        }
        Ok(())
    }

    /// Replaces the findings of a file by what is known without a look at the others; none if it is not enough.
    pub(super) fn glance(&mut self, path: &Path, contents: &[u8]) -> Result<Option<()>, Failure> {
        if !self.glances.contains_key(path) {
            return Ok(None);
        }
        let Some(own) = self.own(path, contents)? else {
            return Ok(None);
        };
        let findings = self.glances[path].findings(contents, own);
        self.findings.insert(path.to_owned(), findings);
        Ok(Some(()))
    }

    /// The findings of a known file alone; none if they would show a secret, which only a check of the project masks.
    fn own(&mut self, path: &Path, contents: &[u8]) -> Result<Option<Vec<Finding>>, Failure> {
        let parsed = self.parsed(path, contents)?;
        let parsed = parsed.filter(|parsed| !has_secret(parsed));
        Ok(parsed.map(|parsed| self.reported(path, parsed)))
    }

    /// A known file alone.
    fn parsed(&mut self, path: &Path, contents: &[u8]) -> Result<Option<Parsed>, Failure> {
        let Some(found) = self.found_as(path) else {
            return Ok(None);
        };
        Ok(Some(self.folder.parse(&found, contents)?))
    }

    /// The findings of a known file, with the configured severities.
    fn reported(&self, path: &Path, parsed: Parsed) -> Vec<Finding> {
        let in_project = self.known(path).is_some_and(|file| file.in_project);
        let finding = |diagnostic| projects::Finding {
            diagnostic,
            dialects: vec![parsed.dialect.clone()],
            in_project,
        };
        let report = Report {
            files: Vec::new(),
            others: Vec::new(),
            findings: parsed.diagnostics.into_iter().map(finding).collect(),
            suppressed: Vec::new(),
            counts: Counts {
                errors: 0,
                warnings: 0,
                notes: 0,
            },
            unowned: Vec::new(),
        };
        let checked = self.folder.configured(report);
        checked.reported().cloned().collect()
    }

    /// A look at these files and all that they depend on, and at the graph, for another thread.
    pub(super) fn look(
        &self,
        files: BTreeMap<PathBuf, Vec<u8>>,
        unsaved: impl Iterator<Item = (PathBuf, Vec<u8>)>,
        wants_graph: bool,
    ) -> Result<Look, Failure> {
        let mut answers = self.folder.another()?;
        for (path, contents) in unsaved {
            answers.set_unsaved(&path, Some(&contents));
        }
        Ok(Look {
            directory: self.directory.clone(),
            request: self
                .folder
                .request(files.keys().map(|path| self.name(path)).collect()),
            files,
            wants_graph,
            changes: self.changes,
            answers,
        })
    }

    /// Takes in what was seen of files that may have changed since.
    pub(super) fn take_look(&mut self, seen: Seen) -> Result<(), Failure> {
        if let Some(graph) = seen.graph
            && seen.changes == self.changes
        {
            self.graph = Some(Named::new(graph?));
        }
        let Some(report) = seen.report else {
            return Ok(());
        };
        self.forget(seen.files.keys());
        self.take(report?);
        for (path, contents) in &seen.files {
            self.keep(path, contents)?;
        }
        Ok(())
    }

    /// Takes in the findings of a check.
    fn take(&mut self, mut report: Report) {
        // Opening a file in an editor does not ask for checking what is excluded.
        self.folder.leave_out(&mut report);
        for file in report.files.clone() {
            if let Some(path) = self.system_path(&file.path) {
                self.known.insert(path, file);
            }
        }
        for other in &report.others {
            if let Some(path) = self.system_path(other) {
                self.others.insert(path, other.clone());
            }
        }
        let checked = self.folder.configured(report);
        for finding in checked.reported() {
            let path = self.system_path(&finding.diagnostic.primary.place.path);
            // Editors show no findings about directories.
            let Some(path) = path.filter(|path| !self.host.is_directory(path)) else {
                continue;
            };
            self.findings.entry(path).or_default().push(finding.clone());
        }
    }

    /// The name of a file for a check: the last one that a tool found it under, which a link may lead to.
    pub(super) fn name(&self, path: &Path) -> String {
        let known = self.known.get(path).map(|file| &file.path);
        let known = known.or_else(|| self.others.get(path));
        match known.filter(|name| Path::new(name).has_root()) {
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

    /// Whether this is a file that was checked.
    pub(super) fn reads(&self, path: &Path) -> bool {
        self.known.contains_key(path) || self.is_other(path)
    }

    /// Whether this is a file that was checked, but defines nothing: settings, instructions or a manifest.
    pub(super) fn is_other(&self, path: &Path) -> bool {
        self.others.contains_key(path)
    }

    /// What is known about a definition; none for other files.
    pub(super) fn known(&self, path: &Path) -> Option<&Checked> {
        self.known.get(path)
    }

    /// The known files that a path is or contains.
    pub(super) fn defined_below(&self, path: &Path) -> Vec<PathBuf> {
        let below = self.known.keys().filter(|known| known.starts_with(path));
        below.cloned().collect()
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

    /// Whether the [`graph`](Self::graph) need not be read first.
    pub(super) fn has_graph(&self) -> bool {
        self.graph.is_some()
    }

    /// What the files of the project are and name.
    pub(super) fn graph(&mut self) -> Result<&Graph, Failure> {
        Ok(&self.named()?.graph)
    }

    fn named(&mut self) -> Result<&mut Named, Failure> {
        if self.graph.is_none() {
            self.graph = Some(Named::new(self.folder.graph()?));
        }
        Ok(self.graph.as_mut().expect("it was just set"))
    }

    /// What a file names, by place.
    pub(super) fn edges_in(&mut self, path: &Path) -> Result<Vec<Edge>, Failure> {
        if self.named()?.places.is_none() {
            let places = self.places()?;
            self.named()?.places = Some(places);
        }
        let Named { graph, places } = self.named()?;
        let numbers = places.as_ref().and_then(|places| places.get(path));
        let edge = |number: &usize| graph.edges[*number].clone();
        Ok(numbers.into_iter().flatten().map(edge).collect())
    }

    /// The numbers of the edges in each file.
    fn places(&mut self) -> Result<BTreeMap<PathBuf, Vec<usize>>, Failure> {
        let mut by_name = BTreeMap::<String, Vec<usize>>::new();
        for (number, edge) in self.graph()?.edges.iter().enumerate() {
            by_name.entry(edge.place.path.clone()).or_default().push(number);
        }
        let mut places = BTreeMap::<PathBuf, Vec<usize>>::new();
        for (name, numbers) in by_name {
            if let Some(path) = self.system_path(&name) {
                places.entry(path).or_default().extend(numbers);
            }
        }
        Ok(places)
    }

    /// The path of a file in a report, without links.
    pub(super) fn system_path(&mut self, name: &str) -> Option<PathBuf> {
        self.host.real(&self.folder.locate(name)?)
    }
}

/// A graph, and where its edges are.
struct Named {
    graph: Graph,
    /// The numbers of the edges in each file; none until they are asked for.
    places: Option<BTreeMap<PathBuf, Vec<usize>>>,
}

impl Named {
    fn new(graph: Graph) -> Self {
        Self { graph, places: None }
    }
}

/// Whether a finding is about a secret, which the texts of others may repeat.
fn has_secret(parsed: &Parsed) -> bool {
    let mut all = parsed.diagnostics.iter().chain(&parsed.suppressed);
    all.any(|found| found.rule == SECRET)
}

/// A look at open files and all that they depend on, for another thread if there are several.
pub struct Look {
    directory: PathBuf,
    request: Request,
    /// The files with their contents.
    files: BTreeMap<PathBuf, Vec<u8>>,
    wants_graph: bool,
    changes: u64,
    answers: Box<dyn Answers + Send>,
}

/// What a look has found.
pub struct Seen {
    /// The directory of its root.
    pub(super) directory: PathBuf,
    /// The files with their contents at that time.
    pub(super) files: BTreeMap<PathBuf, Vec<u8>>,
    /// None without files.
    report: Option<Result<Report, Failure>>,
    /// None if it was not wanted.
    graph: Option<Result<Graph, Failure>>,
    changes: u64,
}

impl Look {
    /// Takes the look.
    #[must_use]
    pub fn run(mut self) -> Seen {
        // Without paths, a request is about all files.
        let report = (!self.files.is_empty()).then(|| self.answers.check(&self.request));
        let graph = self.wants_graph.then(|| self.answers.graph());
        Seen {
            report,
            graph,
            changes: self.changes,
            directory: self.directory,
            files: self.files,
        }
    }
}
