//! The folder that a case runs in.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType};
use sha2::{Digest as _, Sha256};

use crate::scratch::Scratch;

/// The most bytes that are copied for a case: a test has small inputs, and a mistake must not fill the disk.
const LARGEST: u64 = 64 << 20;

/// The most files that are copied for a case.
const MOST: usize = 10_000;

/// The most directory levels of input files.
const DEEPEST: usize = 64;

/// The folder of input files: what is below it is at the top of the temporary folder.
const INPUTS: &str = "evals/files";

/// A temporary folder with the input files of a case. Removed when dropped.
#[derive(Debug)]
pub struct Ground {
    scratch: Scratch,
    project: PathBuf,
    /// The files at the start, and their contents.
    before: BTreeMap<String, Content>,
}

type Content = [u8; 32];

/// A file that a run created, changed or removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path in the folder, with slashes.
    pub path: String,
    /// Whether it was removed.
    pub is_removed: bool,
}

/// Why input files cannot be copied.
#[derive(Debug)]
pub struct GroundError {
    /// The input file.
    pub file: String,
    /// The reason.
    pub reason: io::Error,
}

impl fmt::Display for GroundError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, reason } = self;
        match reason.kind() {
            io::ErrorKind::NotFound => write!(to, "the input file {file} does not exist"),
            _ => write!(to, "cannot copy {file}: {reason}"),
        }
    }
}

impl std::error::Error for GroundError {}

impl Ground {
    /// Copies input files, whose paths are relative to `base`. Links are not followed.
    ///
    /// Fails if one cannot be copied.
    pub fn lay(base: &Path, files: &[String]) -> Result<Self, GroundError> {
        let failed = |file: &str| {
            let file = file.to_owned();
            move |reason| GroundError { file, reason }
        };
        let name = base.to_string_lossy();
        let from = Dir::open_ambient_dir(base, ambient_authority()).map_err(failed(&name))?;
        let scratch = Scratch::create().map_err(failed("the input files"))?;
        // Beside it is room for what is not part of the project.
        let project = scratch.path().join("project");
        fs::create_dir(&project).map_err(failed("the input files"))?;
        let project = project.canonicalize().map_err(failed("the input files"))?;
        let to = Dir::open_ambient_dir(&project, ambient_authority()).map_err(failed("the input files"))?;
        let mut copy = Copying {
            from,
            to,
            files: 0,
            bytes: 0,
        };
        for file in files {
            let copied = copy.named(Path::new(file), Path::new(place(file)));
            copied.map_err(failed(file))?;
        }
        let before = contents(&project).map_err(failed("the input files"))?;
        Ok(Self {
            scratch,
            project,
            before,
        })
    }

    /// The project's directory of the run.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// A place for a file that is not part of the project.
    pub fn aside(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// What was created, changed or removed since the start, sorted.
    pub fn changes(&self) -> io::Result<Vec<Change>> {
        let after = contents(&self.project)?;
        let written = after
            .iter()
            .filter(|(path, content)| self.before.get(*path) != Some(content));
        let removed = self.before.keys().filter(|path| !after.contains_key(*path));
        let change = |is_removed| {
            move |path: &String| Change {
                path: path.clone(),
                is_removed,
            }
        };
        let written = written.map(|(path, _)| path).map(change(false));
        let mut changes: Vec<Change> = written.chain(removed.map(change(true))).collect();
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(changes)
    }
}

/// Where an input file is in the folder.
fn place(file: &str) -> &str {
    match file.strip_prefix(INPUTS) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => file,
    }
}

/// Copies with bounds. Paths are opened below a directory, so that no link leads out of it.
struct Copying {
    from: Dir,
    to: Dir,
    files: usize,
    bytes: u64,
}

impl Copying {
    fn named(&mut self, file: &Path, place: &Path) -> io::Result<()> {
        let above: Vec<&Path> = file.ancestors().skip(1).collect();
        for directory in above.into_iter().rev().skip(1) {
            let kind = self.from.symlink_metadata(directory)?.file_type();
            if kind.is_symlink() {
                return Err(io::Error::other(odd(kind)));
            }
        }
        self.entry(file, place, 0)
    }

    fn entry(&mut self, file: &Path, place: &Path, depth: usize) -> io::Result<()> {
        let kind = self.from.symlink_metadata(file)?.file_type();
        if kind.is_dir() {
            return self.directory(file, place, depth);
        }
        if !kind.is_file() {
            return Err(io::Error::other(odd(kind)));
        }
        self.files += 1;
        if let Some(folder) = place.parent().filter(|it| !it.as_os_str().is_empty()) {
            self.to.create_dir_all(folder)?;
        }
        let left = LARGEST - self.bytes;
        let mut from = self.from.open(file)?.take(left + 1);
        self.bytes += io::copy(&mut from, &mut self.to.create(place)?)?;
        if self.bytes > LARGEST || self.files > MOST {
            let reason = format!("input files are limited to {MOST} files and {} MB", LARGEST >> 20);
            return Err(io::Error::other(reason));
        }
        Ok(())
    }

    fn directory(&mut self, directory: &Path, place: &Path, depth: usize) -> io::Result<()> {
        if depth == DEEPEST {
            return Err(io::Error::other("the directories are nested too deeply"));
        }
        if !place.as_os_str().is_empty() {
            self.to.create_dir_all(place)?;
        }
        for entry in self.from.read_dir(directory)? {
            let name = entry?.file_name();
            self.entry(&directory.join(&name), &place.join(&name), depth + 1)?;
        }
        Ok(())
    }
}

fn odd(kind: FileType) -> &'static str {
    if kind.is_symlink() {
        "it is a link, and links are not followed"
    } else {
        "it is not a regular file"
    }
}

/// Every file below a directory. Links count by their targets' names.
fn contents(directory: &Path) -> io::Result<BTreeMap<String, Content>> {
    let mut found = BTreeMap::new();
    let mut open = vec![(directory.to_owned(), String::new())];
    while let Some((folder, before)) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            if kind.is_dir() {
                open.push((path, format!("{name}/")));
            } else {
                found.insert(name, content(&path, kind.is_file())?);
            }
        }
    }
    Ok(found)
}

fn content(path: &Path, is_file: bool) -> io::Result<Content> {
    let mut hasher = Sha256::new();
    if is_file {
        let mut file = fs::File::open(path)?;
        let mut piece = [0; 1 << 16];
        loop {
            match file.read(&mut piece)? {
                0 => break,
                read => hasher.update(&piece[..read]),
            }
        }
    } else if let Ok(target) = path.read_link() {
        hasher.update(target.to_string_lossy().as_bytes());
    }
    Ok(hasher.finalize().into())
}
