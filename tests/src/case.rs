//! A case: an input tree, command lines, and their expected results.

use std::collections::BTreeMap;
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::Deserialize;

use crate::backend::Backend;
use crate::commands;
use crate::script::Script;

/// The modification time of every file of a case; each step is a second later.
const THEN: Duration = Duration::from_secs(1_767_225_600);

/// The content of `case.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// One sentence: what is tested.
    pub about: String,
    /// The seed document and the section that requires it.
    pub seed: Option<String>,
    /// Command lines.
    #[serde(default)]
    pub run: Vec<String>,
    /// The backends that run it, if not all that can.
    backends: Option<Vec<Backend>>,
    /// Folders to make, since git keeps no empty ones: `project/.git` makes a repository.
    #[serde(default)]
    make: Vec<PathBuf>,
    /// Files to make of so many zeros: too large for a checkout.
    #[serde(default)]
    zeros: BTreeMap<PathBuf, u64>,
    /// Symbolic links to make, with their targets, if they should not be in a checkout.
    #[serde(default)]
    links: BTreeMap<PathBuf, PathBuf>,
    /// A delegation, instead of command lines.
    pub script: Option<Script>,
    /// Later changes, in order.
    #[serde(default)]
    pub step: Vec<Step>,
    /// Its folder.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Which backends can run a case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// All.
    Everywhere,
    /// All but the command line.
    Open,
    /// All but the command line: a script replaces parts of the program.
    Scripted,
    /// The command line.
    Program,
    /// The backends that the case names.
    Named(Vec<Backend>),
}

impl Reach {
    fn holds(&self, backend: Backend) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Open | Self::Scripted => backend != Backend::Cli,
            Self::Program => backend == Backend::Cli,
            Self::Named(named) => named.contains(&backend),
        }
    }
}

/// A change to the tree, and the command lines after it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    write: Option<Write>,
    remove: Option<PathBuf>,
    /// A file that gets a new modification time and keeps its bytes.
    touch: Option<PathBuf>,
    /// Command lines.
    #[serde(default)]
    pub run: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Write {
    path: PathBuf,
    text: String,
}

impl Case {
    /// Every case below `folder`, sorted: its name with its `case.toml`, or the error in it.
    pub fn all(folder: &Path) -> Vec<(String, Result<Self, String>)> {
        let mut cases = Vec::new();
        find(folder, &mut cases);
        let load = |case: PathBuf| {
            let name = case.strip_prefix(folder).unwrap_or(&case);
            (name.to_string_lossy().replace('\\', "/"), Self::load(case))
        };
        cases.into_iter().map(load).collect()
    }

    fn load(folder: PathBuf) -> Result<Self, String> {
        let file = folder.join("case.toml");
        let text =
            fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let case: Self = toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self { folder, ..case })
    }

    /// Every command line, in order.
    pub fn lines(&self) -> impl Iterator<Item = &String> {
        self.run.iter().chain(self.step.iter().flat_map(|step| &step.run))
    }

    /// The backends that run it.
    pub fn backends(&self) -> Vec<Backend> {
        let reach = self.reach();
        Backend::all().filter(|backend| reach.holds(*backend)).collect()
    }

    /// Why it does not run everywhere, if so. The command line keeps no catalog open; only it writes files, and prints text.
    pub fn reach(&self) -> Reach {
        let open = !self.step.is_empty() || self.lines().any(|line| commands::keeps_open(line));
        let program = self.lines().any(|line| commands::needs_the_program(line));
        let script = self.script.as_ref();
        match (&self.backends, open, program) {
            (Some(named), ..) => Reach::Named(named.clone()),
            _ if script.is_some_and(|script| !script.is_for_the_program()) => Reach::Scripted,
            (_, true, _) => Reach::Open,
            (_, _, true) => Reach::Program,
            _ => Reach::Everywhere,
        }
    }

    /// The path of its expected result.
    pub fn expected(&self) -> PathBuf {
        self.folder.join("expected.json")
    }

    /// Copies its tree to a place where it may be changed.
    pub fn lay_out(&self, to: &Path) -> io::Result<()> {
        for folder in &self.make {
            fs::create_dir_all(to.join(folder))?;
        }
        copy(&self.folder, to, &["case.toml", "expected.json"])?;
        for (at, size) in &self.zeros {
            let path = to.join(at);
            fs::create_dir_all(path.parent().expect("it lies in the tree"))?;
            File::create(&path)?.set_len(*size)?;
            date(&path, 0)?;
        }
        let mut links = self.links.iter();
        links.try_for_each(|(at, target)| link(target, &to.join(at)))
    }
}

impl Step {
    /// Makes the change of step `number`.
    pub fn apply(&self, number: usize, tree: &Path) -> io::Result<()> {
        if let Some(write) = &self.write {
            let path = tree.join(&write.path);
            fs::create_dir_all(path.parent().expect("it lies in the tree"))?;
            fs::write(&path, &write.text)?;
            date(&path, number)?;
        }
        if let Some(path) = &self.remove {
            fs::remove_file(tree.join(path))?;
        }
        match &self.touch {
            Some(path) => date(&tree.join(path), number),
            None => Ok(()),
        }
    }
}

fn date(file: &Path, step: usize) -> io::Result<()> {
    let when = SystemTime::UNIX_EPOCH + THEN + Duration::from_secs(step as u64);
    let file = File::options().write(true).open(file)?;
    file.set_times(FileTimes::new().set_modified(when))
}

fn copy(from: &Path, to: &Path, without: &[&str]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if without.iter().any(|name| entry.file_name() == **name) {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&source, &target, &[])?;
        } else if kind.is_symlink() {
            link(&fs::read_link(&source)?, &target)?;
        } else {
            fs::copy(&source, &target)?;
            date(&target, 0)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_to: &Path, _at: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A folder with a `case.toml` is a case, and so is one without subfolders; the others are areas.
fn find(folder: &Path, cases: &mut Vec<PathBuf>) {
    let below = subfolders(folder);
    if folder.join("case.toml").exists() || below.is_empty() {
        cases.push(folder.to_owned());
        return;
    }
    below.iter().for_each(|folder| find(folder, cases));
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}
