//! The import `files`: lists and reads, only below the opened places.

mod ahead;
mod contents;
mod listing;
mod names;
pub(crate) mod replace;
pub(crate) mod root;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::{Dir, File};

use self::ahead::Ahead;
use self::contents::{refusal, whole};
use self::names::{Names, Target};
use self::root::Root;
pub use self::trace::Trace;
use self::trace::{Question, Tracer};
use crate::bindings::callsheet::agents::files::{Entry, FileError, Host};
use crate::builder::{Builder, OnRead, Unsaved};
use crate::catalogs::Location;
use crate::types::Level;
use crate::{Error, Place, Result};

/// The files that one instance of the component may read.
#[derive(Default)]
pub(crate) struct Files {
    /// Names and their places: the project, its ancestors, the home directory and so on.
    places: Names,
    /// The readable places.
    granted: Names,
    /// The root of the project's repository, or the project.
    project: Option<Arc<Root>>,
    follow_links: bool,
    /// Whether the component may read an administrator's directories.
    own_component: bool,
    max_size: u64,
    on_read: Option<OnRead>,
    /// The last directory: thousands of files need not resolve it each.
    open: Option<(Target, Dir)>,
    /// The last large directory.
    ahead: Option<Box<Ahead>>,
    last: Option<String>,
    withheld: HashSet<String>,
    unsaved: Arc<Unsaved>,
    /// Records what the component asks.
    tracer: Option<Box<Tracer>>,
}

impl Files {
    /// The places of the settings; none is readable yet.
    pub(crate) fn new(settings: &Builder, ancestors: &[Place]) -> Result<Self> {
        let mut files = Self {
            follow_links: settings.follow_links,
            own_component: settings.component.is_none(),
            max_size: settings.max_file_size,
            on_read: settings.on_read.clone(),
            unsaved: Arc::clone(&settings.unsaved),
            ..Self::default()
        };
        files.add_project(&settings.project, ancestors)?;
        let directories = settings
            .plugins
            .iter()
            .map(|(_, place)| place)
            .chain(&settings.directories);
        let moved = settings.variables.iter().map(|(_, place)| place);
        for place in settings.home.iter().chain(directories).chain(moved) {
            files.add(place);
        }
        Ok(files)
    }

    /// Adds a place, which is not readable yet.
    pub(crate) fn add(&mut self, place: &Place) {
        let target = self.target(&place.path, None);
        self.places.add(&place.name, target);
    }

    /// The project and the directories above it: one root, so that links between them work.
    fn add_project(&mut self, project: &Place, ancestors: &[Place]) -> Result<()> {
        let failed = |source| Error::Path {
            path: project.name.clone(),
            source,
        };
        let real = project.path.canonicalize().map_err(failed)?;
        if !real.is_dir() {
            return Err(failed(io::ErrorKind::NotADirectory.into()));
        }
        let top = real.ancestors().nth(ancestors.len()).unwrap_or(&real);
        let root = self.root(top.to_owned());
        for (place, at) in [project].into_iter().chain(ancestors).zip(real.ancestors()) {
            let below = at.strip_prefix(top).expect("ancestors end at the top").to_owned();
            self.places.add(&place.name, (Arc::clone(&root), below));
        }
        self.project = Some(root);
        Ok(())
    }

    /// Grants what agents refer to, if the settings name a place that contains it.
    pub(crate) fn grant_referred(&mut self, path: &str) {
        if let Some(target) = self.places.resolve(path) {
            self.granted.add(path, target);
        }
    }

    /// Grants a place of the dialect.
    pub(crate) fn grant(&mut self, location: &Location) {
        let directory = &location.directory;
        let managed = || {
            let path = PathBuf::from(directory);
            let trusted = self.own_component && location.level == Level::Policy && path.is_absolute();
            trusted.then(|| (self.root(path), PathBuf::new()))
        };
        if let Some(target) = self.places.resolve(directory).or_else(managed) {
            self.granted.add(directory, target);
        }
    }

    /// Grants the path that the user named, and nothing else.
    pub(crate) fn grant_explicitly(&mut self, name: &str) -> io::Result<()> {
        let known = self.places.resolve(name);
        let path = known
            .as_ref()
            .map_or_else(|| PathBuf::from(name), |(root, below)| root.path(below));
        if !self.is_unsaved(&path) {
            path.symlink_metadata().and_then(|_| path.canonicalize())?;
        }
        let target = self.target(&path, known.map(|(root, _)| root));
        self.granted.add(name, target);
        Ok(())
    }

    /// The target of a name of the settings or an absolute one: the place that contains it, and itself.
    pub(crate) fn system_path(&self, name: &str) -> Option<(PathBuf, PathBuf)> {
        let known = self.places.resolve(name);
        let known = known.map(|(root, below)| (root.path(Path::new("")), root.path(&below)));
        let absolute = || PathBuf::from(name);
        known.or_else(|| absolute().is_absolute().then(|| (absolute(), absolute())))
    }

    /// A path from the top of the project's repository, or else from the project; none for what is not below it.
    pub(crate) fn in_repository(&self, name: &str) -> Option<PathBuf> {
        let project = self.project.as_ref()?;
        match self.places.resolve(name) {
            Some((root, below)) => Arc::ptr_eq(&root, project).then_some(below),
            None => project.below(Path::new(name)),
        }
    }

    pub(crate) fn set_unsaved(&mut self, unsaved: Arc<Unsaved>) {
        self.unsaved = unsaved;
    }

    /// Whether this is a file with unsaved contents.
    pub(crate) fn is_unsaved(&self, path: &Path) -> bool {
        self.unsaved_at(path).is_some()
    }

    /// The unsaved contents of a file, which may be behind links.
    fn unsaved_at(&self, path: &Path) -> Option<&Arc<[u8]>> {
        if self.unsaved.is_empty() {
            return None;
        }
        self.unsaved.get(&real(path).ok()?)
    }

    /// The files with unsaved contents below a directory, which need not exist, and their sizes.
    fn unsaved_below(&self, directory: &Path) -> Vec<(PathBuf, u64)> {
        if self.unsaved.is_empty() {
            return Vec::new();
        }
        let Ok(directory) = real(directory) else {
            return Vec::new();
        };
        let all = self.unsaved.iter();
        let below = all.filter_map(|(path, contents)| {
            let below = path.strip_prefix(&directory).ok()?;
            Some((below.to_owned(), contents.len() as u64))
        });
        below.collect()
    }

    pub(crate) fn may_read(&self, path: &str) -> bool {
        self.granted.resolve(path).is_some()
    }

    /// The system path of a file that was read.
    pub(crate) fn real_path(&self, path: &str) -> Option<PathBuf> {
        let target = self.granted.resolve(path).or_else(|| self.places.resolve(path));
        let (root, below) = target?;
        root.path(&below).canonicalize().ok()
    }

    /// Called before the component: drops old handles.
    pub(crate) fn begin(&mut self) {
        (self.open, self.ahead) = (None, None);
        self.last = None;
    }

    /// Withholds the file that was read last, and names it.
    pub(crate) fn withhold_last(&mut self) -> Option<String> {
        let last = self.last.take()?;
        self.withheld.insert(last.clone());
        Some(last)
    }

    /// The contents of a file that the user named, even if the component may not read it.
    pub(crate) fn named(&mut self, path: &str) -> io::Result<Vec<u8>> {
        // Only a link that leads out of its place needs this.
        if let Some(target) = self.places.resolve(path)
            && let Ok(contents) = self.contents_at(path, &target)
        {
            return Ok(contents);
        }
        if !self.may_read(path) {
            self.grant_explicitly(path)?;
        }
        self.contents(path).map_err(plain)
    }

    /// The contents of a readable file.
    pub(crate) fn contents(&mut self, path: &str) -> Result<Vec<u8>, FileError> {
        let target = self.granted.resolve(path).ok_or(FileError::Denied)?;
        self.contents_at(path, &target)
    }

    fn contents_at(&mut self, path: &str, (root, below): &Target) -> Result<Vec<u8>, FileError> {
        if self.withheld.contains(path) {
            return Err(FileError::Other(
                "the component failed on this file before".into(),
            ));
        }
        self.last = Some(path.to_owned());
        if let Some(hook) = &self.on_read {
            hook(path);
        }
        if let Some(contents) = self.unsaved_at(&root.path(below)) {
            return match contents.len() as u64 {
                size if size > self.max_size => Err(FileError::TooLarge(size)),
                _ => Ok(contents.to_vec()),
            };
        }
        if let Some(contents) = self.read_ahead(root, below) {
            return Ok(contents);
        }
        let file = self
            .open_file(root, below)
            .map_err(|error| match refusal(error) {
                // A listing replaces invalid UTF-8 in names.
                FileError::NotFound if path.contains(char::REPLACEMENT_CHARACTER) => {
                    FileError::Other("its name is not UTF-8".into())
                }
                refusal => refusal,
            })?;
        whole(file, self.max_size)
    }

    /// The contents of a file that was read ahead.
    fn read_ahead(&mut self, root: &Arc<Root>, below: &Path) -> Option<Vec<u8>> {
        let mut ahead = self.ahead.take_if(|ahead| ahead.is_of(root, below))?;
        let most = self.max_size;
        let open = || self.directory(root, below.parent()?).ok()?.try_clone().ok();
        let contents = ahead.take(below.file_name()?.to_str()?, open, most);
        self.ahead = Some(ahead);
        contents
    }

    fn open_file(&mut self, root: &Arc<Root>, below: &Path) -> io::Result<File> {
        let (Some(parent), Some(name)) = (below.parent(), below.file_name()) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        match root::open_file(self.directory(root, parent)?, Path::new(name)) {
            // A link out of this directory may stay within the root.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => root.open_file(below),
            opened => opened,
        }
    }

    fn directory(&mut self, root: &Arc<Root>, below: &Path) -> io::Result<&Dir> {
        let same = |((other, path), _): &(Target, Dir)| Arc::ptr_eq(root, other) && path == below;
        if !self.open.as_ref().is_some_and(same) {
            let opened = root.open_directory(below)?;
            self.open = Some(((Arc::clone(root), below.to_owned()), opened));
        }
        let (_, directory) = self.open.as_ref().expect("it was just set");
        Ok(directory)
    }

    /// The place of a system path: below `known` or the project if its links end there, otherwise on its own.
    fn target(&self, path: &Path, known: Option<Arc<Root>>) -> Target {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let inside = |root: Arc<Root>| root.below(&real).map(|below| (root, below));
        known
            .and_then(inside)
            .or_else(|| inside(Arc::clone(self.project.as_ref()?)))
            .unwrap_or_else(|| self.alone(&real))
    }

    fn alone(&self, real: &Path) -> Target {
        match (real.is_file(), real.parent(), real.file_name()) {
            (true, Some(parent), Some(name)) => (self.root(parent.to_owned()), PathBuf::from(name)),
            _ => (self.root(real.to_owned()), PathBuf::new()),
        }
    }

    fn root(&self, path: PathBuf) -> Arc<Root> {
        Arc::new(Root::new(path, self.follow_links))
    }
}

impl Files {
    /// From now on, records what the component asks about this project.
    pub(crate) fn trace(&mut self, project: &str) {
        self.tracer = Some(Box::new(Tracer::of(project)));
    }

    /// What it asked since. What it may not read is left out: that depends on the settings alone.
    pub(crate) fn traced(&mut self) -> Trace {
        self.tracer.take().unwrap_or_default().finish()
    }

    /// Whether the same questions about this project have the same answers now.
    pub(crate) fn answer_alike(&mut self, project: &str, trace: &Trace) -> bool {
        self.trace(project);
        for question in &trace.asked {
            match question {
                Question::Directory(path) => drop(self.list_directory(path.clone())),
                Question::File(path) => drop(self.read(path.clone())),
            }
        }
        self.traced() == *trace
    }

    fn entries(&mut self, (root, below): Target) -> Result<Vec<Entry>, FileError> {
        let unsaved = self.unsaved_below(&root.path(&below));
        let mut entries = match self.directory(&root, &below) {
            Ok(directory) => listing::entries(&root, &below, directory).map_err(refusal)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !unsaved.is_empty() => Vec::new(),
            Err(error) => return Err(refusal(error)),
        };
        for (file, size) in unsaved {
            listing::add(&mut entries, &file, size);
        }
        if let Some(ahead) = Ahead::of((root, below), &entries) {
            self.ahead = Some(Box::new(ahead));
        }
        Ok(entries)
    }
}

impl Host for Files {
    fn list_directory(&mut self, path: String) -> Result<Vec<Entry>, FileError> {
        let target = self.granted.resolve(&path).ok_or(FileError::Denied)?;
        let answer = self.entries(target);
        if let Some(tracer) = &mut self.tracer {
            tracer.listed(&path, &answer);
        }
        answer
    }

    fn read(&mut self, path: String) -> Result<Vec<u8>, FileError> {
        let target = self.granted.resolve(&path).ok_or(FileError::Denied)?;
        let answer = self.contents_at(&path, &target);
        if let Some(tracer) = &mut self.tracer {
            tracer.read(&path, &answer);
        }
        answer
    }
}

/// The path of a file without links. Neither the file nor its directories need exist.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let name = path.file_name().ok_or(error)?;
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            Ok(real(directory.unwrap_or(Path::new(".")))?.join(name))
        }
        real => real,
    }
}

/// An error of a file for callers of the library.
pub(crate) fn plain(error: FileError) -> io::Error {
    match error {
        FileError::NotFound => io::ErrorKind::NotFound.into(),
        FileError::Denied => io::ErrorKind::PermissionDenied.into(),
        FileError::NotADirectory => io::ErrorKind::NotADirectory.into(),
        FileError::TooLarge(size) => {
            io::Error::new(io::ErrorKind::FileTooLarge, format!("too large ({size} bytes)"))
        }
        FileError::Other(reason) => io::Error::other(reason),
    }
}
