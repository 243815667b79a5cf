//! Files that are not checked unless they are named.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Config;

/// Why a file is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// It matches `exclude`.
    Excluded,
    /// Git ignores it.
    Ignored,
}

/// Decides which files are not checked.
pub struct Skips<'a> {
    config: &'a Config,
    git: Git,
    /// The files and directories that the user named, without links.
    named: Vec<PathBuf>,
}

impl<'a> Skips<'a> {
    /// `named` are the files and directories that the user named; a named file is always checked.
    pub fn new(config: &'a Config, named: &[String]) -> Self {
        Self {
            config,
            git: Git::default(),
            named: named.iter().filter_map(|path| config.paths.real(path)).collect(),
        }
    }

    /// Why a file of a report is not checked; none if it is.
    pub fn of(&self, path: &str) -> Option<Skip> {
        let file = self.config.paths.real(path)?;
        let skip = self.skip(&file)?;
        // Naming a skipped directory selects everything in it.
        let is_wanted =
            |named: &PathBuf| file == *named || file.starts_with(named) && self.skip(named) == Some(skip);
        (!self.named.iter().any(is_wanted)).then_some(skip)
    }

    fn skip(&self, file: &Path) -> Option<Skip> {
        if self.config.excludes(file) {
            return Some(Skip::Excluded);
        }
        self.git.ignores(file).then_some(Skip::Ignored)
    }
}

/// Files that git ignores: by `.gitignore` from the repository's root down, `.git/info/exclude` and the user's own file.
struct Git {
    own: Gitignore,
    /// By directory: its patterns, and whether it is a repository's root.
    directories: RefCell<HashMap<PathBuf, (Gitignore, bool)>>,
}

impl Default for Git {
    fn default() -> Self {
        Self {
            own: Gitignore::global().0,
            directories: RefCell::default(),
        }
    }
}

impl Git {
    fn ignores(&self, file: &Path) -> bool {
        // Nothing below an ignored directory is looked at.
        let Some(root) = self.root(file) else {
            return false;
        };
        let mut inside: Vec<&Path> = file.ancestors().take_while(|path| *path != root).collect();
        inside.reverse();
        inside
            .iter()
            .any(|path| self.is_ignored(path, &root, *path != file || file.is_dir()))
    }

    fn is_ignored(&self, path: &Path, root: &Path, is_directory: bool) -> bool {
        let above = path.ancestors().skip(1);
        let end = above.clone().position(|directory| directory == root);
        // The nearest file that matches decides.
        for directory in above.take(end.map_or(0, |end| end + 1)) {
            self.read(directory);
            match self.directories.borrow()[directory].0.matched(path, is_directory) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        self.own.matched(path, is_directory).is_ignore()
    }

    fn root(&self, file: &Path) -> Option<PathBuf> {
        let mut above = file.ancestors().skip(1);
        let is_root = |directory: &&Path| {
            self.read(directory);
            self.directories.borrow()[*directory].1
        };
        above.find(is_root).map(Path::to_owned)
    }

    fn read(&self, directory: &Path) {
        let mut directories = self.directories.borrow_mut();
        if directories.contains_key(directory) {
            return;
        }
        let is_root = directory.join(".git").exists();
        let mut builder = GitignoreBuilder::new(directory);
        if is_root {
            // Lowest precedence first. A file that cannot be read ignores nothing.
            builder.add(directory.join(".git/info/exclude"));
        }
        builder.add(directory.join(".gitignore"));
        let patterns = builder.build().unwrap_or_else(|_| Gitignore::empty());
        directories.insert(directory.to_owned(), (patterns, is_root));
    }
}
