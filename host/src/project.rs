//! A whole project: the tools in use, the findings in its files, and their fixes.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::builder::Builder;
use crate::catalogs::CatalogError;
use crate::documents::Guessed;
use crate::files::Trace;
use crate::fix::{FixedFile, Which};
use crate::projects::{
    Build, Completions, Composition, Exception, Finding, Graph, Inventory, Part, Renaming, Report, Request,
    Scope, Sources, Spot,
};
use crate::types::Kind;
use crate::{Callsheet, Error, Place, Result};

impl Callsheet {
    /// The dialects with agents in the project, a directory above it or the home directory, sorted by name.
    pub fn dialects_in_use(&mut self) -> Result<Vec<String>> {
        self.dialects_in_use_for(Kind::Agent)
    }

    /// The same for files of another kind.
    pub fn dialects_in_use_for(&mut self, kind: Kind) -> Result<Vec<String>> {
        let sources = self.sources();
        self.grant_places(&sources)?;
        self.sandbox_mut()
            .ask("looking for tools in use", &sources, |project, store, handle| {
                project.call_in_use(store, handle, kind)
            })
    }

    /// The directory of the project: the nearest one upwards in which a tool has a folder, else that of the repository.
    pub fn root(&mut self) -> Result<String> {
        let sources = self.opened(&everything())?;
        self.sandbox_mut()
            .ask("looking for the project", &sources, |project, store, handle| {
                project.call_root(store, handle)
            })
    }

    /// What a text without a path looks like; none if it does not look like a definition. Between dialects that fit alike, one in use counts.
    pub fn guess(&mut self, contents: &[u8]) -> Result<Option<Guessed>> {
        let mut in_use = Vec::new();
        // Most texts look like nothing, whatever is in use.
        if self.guess_among(contents, &in_use)?.is_none() {
            return Ok(None);
        }
        for kind in [Kind::Agent, Kind::Skill, Kind::Command] {
            in_use.extend(self.dialects_in_use_for(kind)?);
        }
        self.guess_among(contents, &in_use)
    }

    fn guess_among(&mut self, contents: &[u8], in_use: &[String]) -> Result<Option<Guessed>> {
        self.sandbox_mut().call("reading a text", |world, store| {
            let documents = world.callsheet_agents_documents();
            documents.call_guess(store, contents, in_use)
        })
    }

    /// Checks the project, or the files and directories of the request. Those outside the project are checked as parts of their own projects.
    /// With `build`, also reports what is wrong with how its files extend and include others.
    ///
    /// Fails with [`Error::Path`] if a path is not found, and with [`Error::UnknownDialect`] if a dialect is unknown.
    pub fn check(&mut self, request: &Request, build: Option<&Build>) -> Result<Report> {
        let own = self.settings().project.clone();
        let mut whole = None;
        self.each_project(request, |callsheet, request| {
            let build = build.filter(|_| callsheet.settings().project == own);
            let report = callsheet.check_here(request, build)?;
            match &mut whole {
                None => whole = Some(report),
                Some(whole) => join(whole, report),
            }
            Ok(())
        })?;
        Ok(whole.expect("there is at least one project"))
    }

    /// Checks the whole project, and traces what was read.
    ///
    /// Fails like [`check`](Self::check).
    pub fn check_traced(&mut self, request: &Request, build: Option<&Build>) -> Result<(Report, Trace)> {
        let project = format!("{:?}", self.sources());
        self.sandbox_files().trace(&project);
        let report = self.check_here(request, build);
        let trace = self.sandbox_files().traced();
        Ok((report?, trace))
    }

    /// Whether a check or an inventory of the whole project would read the same as the traced one.
    pub fn reads_alike(&mut self, trace: &Trace) -> Result<bool> {
        let project = format!("{:?}", self.opened(&everything())?);
        Ok(self.sandbox_files().answer_alike(&project, trace))
    }

    /// The fixed files of [`check`](Self::check). Unchanged files, and those outside the project, are left out. Nothing is written.
    ///
    /// Fails like [`check`](Self::check).
    pub fn fix(
        &mut self,
        request: &Request,
        which: Which,
        exceptions: &[Exception],
    ) -> Result<Vec<FixedFile>> {
        let mut all = Vec::new();
        self.each_project(request, |callsheet, request| {
            all.extend(callsheet.fix_here(request, which, exceptions)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// What the files of the project define, and what the active ones name.
    pub fn graph(&mut self) -> Result<Graph> {
        self.part_of_graph(&Scope::Everything, Part::Whole)
    }

    /// A part of the [`graph`](Self::graph), around a name or of all files.
    pub fn part_of_graph(&mut self, scope: &Scope, part: Part) -> Result<Graph> {
        let request = everything();
        let sources = self.opened(&request)?;
        let graph =
            self.sandbox_mut()
                .ask("reading the references", &sources, |project, store, handle| {
                    project.call_graph(store, handle, &request, scope, part)
                })?;
        graph.map_err(|error| unknown(error, named(&request)))
    }

    /// What the project has that acts: agents, skills, commands, MCP servers and hooks, and what agents reach by calling others.
    pub fn inventory(&mut self) -> Result<Inventory> {
        let request = everything();
        let sources = self.opened(&request)?;
        let inventory =
            self.sandbox_mut()
                .ask("taking the inventory", &sources, |project, store, handle| {
                    project.call_inventory(store, handle, &request)
                })?;
        inventory.map_err(|error| unknown(error, named(&request)))
    }

    /// The same, and traces what was read.
    pub fn inventory_traced(&mut self) -> Result<(Inventory, Trace)> {
        let project = format!("{:?}", self.sources());
        self.sandbox_files().trace(&project);
        let inventory = self.inventory();
        let trace = self.sandbox_files().traced();
        Ok((inventory?, trace))
    }

    /// What changes if the agent, skill or command in a file gets another name: its file or folder, its name, and every reference to it.
    /// [`apply`](Self::apply) writes it.
    ///
    /// Fails with [`Error::Catalog`] if no tool reads the file here, if the new path exists, or if something else would change.
    pub fn rename(&mut self, path: &str, to: &str) -> Result<Renaming> {
        let sources = self.opened(&everything())?;
        let renaming = self
            .sandbox_mut()
            .ask("renaming", &sources, |project, store, handle| {
                project.call_rename(store, handle, path, to)
            })?;
        renaming.map_err(Error::Catalog)
    }

    /// What the files in a folder that extend and include others compile to. Nothing is written.
    ///
    /// Fails with [`Error::UnknownDialect`] if a dialect is unknown, and with [`Error::Catalog`] if that of the folder has no Markdown
    /// files.
    pub fn compose(&mut self, build: &Build) -> Result<Composition> {
        let sources = self.opened(&everything())?;
        let composition =
            self.sandbox_mut()
                .ask("compiling the sources", &sources, |project, store, handle| {
                    project.call_compose(store, handle, build)
                })?;
        composition.map_err(|error| unknown(error, build.dialect.iter().chain(&build.targets)))
    }

    /// The keys, values and names that fit a place in a file of the project, which need not be stored.
    ///
    /// Fails with [`Error::UnknownDialect`] if its dialect is unknown.
    pub fn complete(&mut self, spot: &Spot) -> Result<Completions> {
        let request = Request {
            dialect: spot.dialect.clone(),
            ..everything()
        };
        let sources = self.opened(&request)?;
        let doing = format!("reading {}", spot.path);
        let found = self
            .sandbox_mut()
            .ask(&doing, &sources, |project, store, handle| {
                project.call_complete(store, handle, spot)
            })?;
        found.map_err(|error| unknown(error, named(&request)))
    }

    fn check_here(&mut self, request: &Request, build: Option<&Build>) -> Result<Report> {
        let sources = self.opened(request)?;
        let report = self
            .sandbox_mut()
            .ask("checking the project", &sources, |project, store, handle| {
                project.call_check(store, handle, request, build)
            })?;
        report.map_err(|error| {
            let build = build.into_iter();
            let built = build.flat_map(|build| build.dialect.iter().chain(&build.targets));
            unknown(error, named(request).chain(built))
        })
    }

    fn fix_here(
        &mut self,
        request: &Request,
        which: Which,
        exceptions: &[Exception],
    ) -> Result<Vec<FixedFile>> {
        let sources = self.opened(request)?;
        let fixed = self
            .sandbox_mut()
            .ask("fixing the project", &sources, |project, store, handle| {
                project.call_fix(store, handle, request, which == Which::All, exceptions)
            })?;
        let fixed = fixed.map_err(|error| unknown(error, named(request)))?;
        Ok(fixed.into_iter().map(FixedFile::from).collect())
    }

    /// The sources of the project, with access of the component to all of it and to the named paths.
    fn opened(&mut self, request: &Request) -> Result<Sources> {
        let sources = self.sources();
        let directories = [&sources.directory].into_iter().chain(&sources.ancestors);
        for name in directories.chain(&request.paths) {
            let granted = self.sandbox_files().grant_explicitly(name);
            granted.map_err(|source| Error::path(name, source))?;
        }
        self.grant_places(&sources)?;
        Ok(sources)
    }

    fn grant_places(&mut self, sources: &Sources) -> Result<()> {
        let places = self
            .sandbox_mut()
            .ask("naming the places", sources, |project, store, handle| {
                project.call_places(store, handle)
            })?;
        let files = self.sandbox_files();
        places.locations.iter().for_each(|location| files.grant(location));
        places.referred.iter().for_each(|path| files.grant_referred(path));
        Ok(())
    }

    /// Calls for this project, and for each other one that contains some of the paths.
    fn each_project(
        &mut self,
        request: &Request,
        mut call: impl FnMut(&mut Self, &Request) -> Result<()>,
    ) -> Result<()> {
        let (mut own, mut others) = (Vec::new(), BTreeMap::<PathBuf, Vec<String>>::new());
        for path in &request.paths {
            if !self.sandbox_files().is_unsaved(Path::new(path)) {
                Path::new(path)
                    .symlink_metadata()
                    .map_err(|source| Error::path(path, source))?;
            }
            match self.name_here(path) {
                Some(name) => own.push(name),
                None => {
                    let path = normal(Path::new(path));
                    let name = path.to_string_lossy().into_owned();
                    others.entry(directory(&path)).or_default().push(name);
                }
            }
        }
        if !own.is_empty() || others.is_empty() {
            let paths = own;
            call(
                self,
                &Request {
                    paths,
                    ..request.clone()
                },
            )?;
        }
        for (directory, paths) in others {
            let name = directory.to_string_lossy().into_owned();
            let settings = Builder {
                project: Place::from(name),
                plugins: Vec::new(),
                directories: Vec::new(),
                inline: None,
                ..self.settings().clone()
            };
            call(
                &mut Self::new(settings)?,
                &Request {
                    paths,
                    ..request.clone()
                },
            )?;
        }
        Ok(())
    }

    /// The name of a directory, given without links, if it is the project or one above it in its repository.
    pub fn name_of_project(&self, directory: &Path) -> Option<String> {
        let mut places = [&self.settings().project].into_iter().chain(self.ancestors());
        let is_it = |place: &&Place| place.path.canonicalize().is_ok_and(|real| real == directory);
        places.find(is_it).map(|place| place.name.clone())
    }

    /// The relative path of a system path from the project or a directory above it, if it is there.
    fn name_here(&self, path: &str) -> Option<String> {
        let absolute = std::path::absolute(path).ok()?;
        let places = || [&self.settings().project].into_iter().chain(self.ancestors());
        let lexical = places().find_map(|place| {
            below(
                place,
                &normal(&absolute),
                &normal(&std::path::absolute(&place.path).ok()?),
            )
        });
        lexical.or_else(|| {
            let real = Path::new(path).canonicalize().ok()?;
            places().find_map(|place| below(place, &real, &place.path.canonicalize().ok()?))
        })
    }
}

/// All files, each by its owner.
fn everything() -> Request {
    Request {
        dialect: None,
        targets: Vec::new(),
        paths: Vec::new(),
    }
}

fn below(place: &Place, path: &Path, directory: &Path) -> Option<String> {
    let rest = path.strip_prefix(directory).ok()?;
    let rest = rest.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    Some(match (&*place.name, &*rest) {
        (name, "") => name.to_owned(),
        (".", rest) => rest.to_owned(),
        (name, rest) => format!("{}/{rest}", name.trim_end_matches('/')),
    })
}

/// The same path without `..` after a name.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        let last = normal.components().next_back();
        match part {
            Component::ParentDir if matches!(last, Some(Component::Normal(_))) => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

/// The fallback for the root of a path's project: the parent of its hidden folder, such as `.claude`, otherwise the directory itself or
/// the file's.
fn directory(path: &Path) -> PathBuf {
    let is_hidden = |above: &&Path| {
        let name = above.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.starts_with('.'))
    };
    let hidden = path.ancestors().find(is_hidden).and_then(Path::parent);
    let parent = || if path.is_dir() { Some(path) } else { path.parent() };
    let directory = hidden
        .or_else(parent)
        .filter(|directory| !directory.as_os_str().is_empty());
    directory.unwrap_or(Path::new(".")).to_owned()
}

/// The dialects that a request names.
fn named(request: &Request) -> impl Iterator<Item = &String> {
    request.dialect.iter().chain(&request.targets)
}

fn unknown<'a>(error: CatalogError, named: impl Iterator<Item = &'a String>) -> Error {
    let names: Vec<&str> = named.map(String::as_str).collect();
    Error::catalog(error, &names.join(", "))
}

/// Adds the report on another project, sorted by place.
fn join(whole: &mut Report, other: Report) {
    let place = |finding: &Finding| {
        let place = &finding.diagnostic.primary.place;
        (place.path.clone(), place.span.start)
    };
    whole.files.extend(other.files);
    whole.files.sort_by(|a, b| a.path.cmp(&b.path));
    whole.findings.extend(other.findings);
    whole.findings.sort_by_key(place);
    whole.suppressed.extend(other.suppressed);
    whole.suppressed.sort_by_key(place);
    whole.others.extend(other.others);
    whole.others.sort();
    whole.unowned.extend(other.unowned);
    whole.counts.errors += other.counts.errors;
    whole.counts.warnings += other.counts.warnings;
    whole.counts.notes += other.counts.notes;
}
