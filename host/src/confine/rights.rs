//! The rights of one program, as paths of this machine.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use globset::{GlobBuilder, GlobMatcher};

use super::readable::Readable;
use super::repository::elsewhere;
use crate::delegation::Reach;

/// The user's grants for all commands.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Files and directories to read.
    pub reads: Vec<PathBuf>,
    /// Files and directories to write.
    pub writes: Vec<PathBuf>,
    /// Whether they may use the network.
    pub network: bool,
}

/// The rights of one program. All paths are real ones, without links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rights {
    /// Its working directory.
    pub directory: PathBuf,
    /// Its own directory for temporary files.
    pub scratch: PathBuf,
    /// Readable paths, including everything below.
    pub reads: Vec<PathBuf>,
    /// Directories that it may list, including those below.
    pub lists: Vec<PathBuf>,
    /// Exceptions that it may not read.
    pub secrets: Vec<PathBuf>,
    /// Writable paths, including everything below. They are readable, too.
    pub writes: Vec<PathBuf>,
    /// Read-only paths below those, unless a longer path of `writes` overrides them.
    pub keeps: Vec<PathBuf>,
    /// Whether it may use the network.
    pub network: bool,
}

impl Rights {
    /// Maps a reach to paths on this machine. Missing ones are left out.
    pub(super) fn new(project: &Path, scratch: &Path, readable: &Readable, reach: &Reach) -> Self {
        // Agent files come with repositories: outside of the project only the user grants access.
        let own = reach.writes.iter().map(PathBuf::from);
        let own = own.filter(|path| path.starts_with(project));
        let mut listings = Listings::new();
        let kept = reach.keeps.iter();
        let kept = kept.flat_map(|pattern| matching(project, pattern, &mut listings));
        let mut rights = Self {
            directory: project.to_owned(),
            scratch: scratch.to_owned(),
            reads: readable.trees.iter().cloned().collect(),
            lists: readable.lists.iter().cloned().collect(),
            secrets: readable.secrets.clone(),
            writes: own.filter(is_real).collect(),
            keeps: kept.collect(),
            network: reach.network,
        };
        rights.reads.extend([project.to_owned(), scratch.to_owned()]);
        rights.add_repository(project, reach);
        rights.writes.push(scratch.to_owned());
        rights
    }

    /// Adds the user's grants, whose paths are relative to the project.
    pub(super) fn add(&mut self, extras: &Extras, project: &Path) {
        let given = |paths: &[PathBuf]| -> Vec<PathBuf> {
            let paths = paths.iter().map(|path| project.join(path));
            paths.filter_map(|path| path.canonicalize().ok()).collect()
        };
        self.reads.extend(given(&extras.reads));
        self.writes.extend(given(&extras.writes));
        self.network |= extras.network;
    }

    /// Git reads its repository in any place, and writes it if it may write the project's.
    fn add_repository(&mut self, project: &Path, reach: &Reach) {
        let Some(repository) = elsewhere(project) else {
            return;
        };
        self.reads.extend(repository.directories.iter().cloned());
        let is_kept = reach.keeps.iter().any(|kept| kept == ".git");
        if !is_kept && self.writes.iter().any(|tree| tree == project) {
            self.writes.extend(repository.directories);
            let programs = repository.programs.into_iter();
            self.keeps.extend(programs.filter(|path| path.exists()));
        }
    }
}

/// Whether a path exists and contains no link, which could lead out of what was checked.
fn is_real(path: &PathBuf) -> bool {
    path.canonicalize().is_ok_and(|real| real == *path)
}

/// The names in directories that were listed.
type Listings = BTreeMap<PathBuf, Vec<OsString>>;

/// The paths in the project that match a name with stars, in any case. Links are left out: their targets have names of their own.
fn matching(project: &Path, pattern: &str, listings: &mut Listings) -> Vec<PathBuf> {
    let mut found = vec![project.to_owned()];
    for part in pattern.split('/') {
        let Some(glob) = matcher(part) else {
            return Vec::new();
        };
        let mut deeper = Vec::new();
        for path in found {
            let names = listings.entry(path.clone()).or_insert_with(|| names(&path));
            let names = names.iter().filter(|name| glob.is_match(name));
            deeper.extend(names.map(|name| path.join(name)));
        }
        found = deeper;
    }
    found.retain(is_real);
    found
}

fn names(directory: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}

/// The matcher of a name. Kept, because compiling those of one command takes longer than the command.
fn matcher(name: &str) -> Option<Arc<GlobMatcher>> {
    static KNOWN: Mutex<BTreeMap<String, Arc<GlobMatcher>>> = Mutex::new(BTreeMap::new());
    // A poisoned lock is safe: a map is always whole.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(matcher) = known.get(name) {
        return Some(Arc::clone(matcher));
    }
    let matcher = GlobBuilder::new(name).case_insensitive(true).build().ok()?;
    let matcher = Arc::new(matcher.compile_matcher());
    known.insert(name.to_owned(), Arc::clone(&matcher));
    Some(matcher)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_grant_no_additional_access() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().canonicalize().unwrap();
        for name in ["src", "agents", ".claude"] {
            fs::create_dir(project.join(name)).unwrap();
        }
        fs::write(project.join("agents/a.md"), "").unwrap();
        fs::write(project.join("agents/b.txt"), "").unwrap();
        fs::write(project.join("Jenkinsfile"), "").unwrap();
        fs::write(project.join(".claude/settings.local.json"), "").unwrap();
        std::os::unix::fs::symlink("/etc", project.join("docs")).unwrap();
        let at = |path: &str| project.join(path);
        let reach = Reach {
            writes: [at("src"), at("docs"), at("none"), "/usr".into()]
                .map(|path| path.to_string_lossy().into_owned())
                .into(),
            keeps: [
                "agents/*.md",
                ".claude/settings*.json",
                ".git",
                "docs",
                "jenkinsfile",
            ]
            .map(str::to_owned)
            .into(),
            network: false,
            files: Vec::new(),
        };
        let rights = Rights::new(&project, &at("agents"), &Readable::default(), &reach);
        assert_eq!(rights.writes, [at("src"), at("agents")]);
        assert_eq!(
            rights.keeps,
            [
                at("agents/a.md"),
                at(".claude/settings.local.json"),
                at("Jenkinsfile")
            ]
        );
    }
}
