//! The sessions of a user: one file each, in the user's state directory.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::about::About;
use super::claim::Claim;
use super::glance::Glance;
use super::saver::Saver;
use crate::error::SaveError;
use crate::output::report::Worktree;
use crate::{Place, worktrees};

/// Days that a session is kept after its last step: as long as in other tools.
pub const DAYS: u64 = 30;

/// The most sessions that are kept. A longer list would not be read.
pub const MOST: usize = 500;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

const ENDING: &str = "session";

/// The directory of the sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    directory: PathBuf,
}

/// A saved session.
#[derive(Debug)]
pub struct Kept {
    /// Its ID.
    pub id: String,
    /// Its file.
    pub path: PathBuf,
    /// When it was last written.
    pub updated: SystemTime,
    /// Whether a process is using it.
    pub is_running: bool,
    /// Its status, or the error of its file.
    pub glance: Result<Glance, SaveError>,
}

/// What was done with old sessions: their IDs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Removed, with their worktrees.
    pub removed: Vec<String>,
    /// Kept, because a worktree of theirs has changes: without its session, nothing would list it.
    pub kept: Vec<String>,
}

/// Why an ID matches no session.
#[derive(Clone, Debug, PartialEq)]
pub enum NotFound {
    /// No session's ID starts with it.
    Unknown,
    /// This many do.
    Ambiguous(usize),
}

impl Sessions {
    /// The store of the user; `home` replaces the user's home directory. None if no home directory is known.
    pub fn of(home: Option<&Path>) -> Option<Self> {
        let stated = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
        let state = match home {
            Some(home) => home.join(".local/state"),
            None => match stated.filter(|path| path.is_absolute()) {
                Some(state) => state,
                None => Place::home()?.path.join(".local/state"),
            },
        };
        Some(Self {
            directory: state.join("callsheet/sessions"),
        })
    }

    /// Its directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Saves every state of a new session.
    pub fn create(&self, about: About) -> Result<Saver, SaveError> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let made = builder.create(&self.directory);
        made.map_err(|reason| SaveError::new(&self.directory, "keep", reason))?;
        Saver::create_in(&self.directory, ENDING, about)
    }

    /// All of them, the newest first. Links and other files are left out.
    pub fn all(&self) -> io::Result<Vec<Kept>> {
        let mut files = self.files()?;
        files.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        let kept = files.into_iter().map(|(path, updated)| Kept {
            id: id(&path),
            updated,
            is_running: Claim::is_taken(&path),
            glance: Glance::at(&path),
            path,
        });
        Ok(kept.collect())
    }

    /// The file of a session by its ID, or by a unique prefix of it.
    pub fn find(&self, name: &str) -> io::Result<Result<PathBuf, NotFound>> {
        let mut files: Vec<PathBuf> = self.files()?.into_iter().map(|(path, _)| path).collect();
        files.retain(|path| id(path).starts_with(name) && !name.is_empty());
        let exact = files.iter().position(|path| id(path) == name);
        let count = files.len();
        Ok(match (exact, count) {
            (Some(at), _) => Ok(files.swap_remove(at)),
            (None, 1) => Ok(files.swap_remove(0)),
            (None, 0) => Err(NotFound::Unknown),
            (None, count) => Err(NotFound::Ambiguous(count)),
        })
    }

    /// Removes a session, and its worktrees without changes. Returns the others.
    ///
    /// Fails if a process is using it.
    pub fn remove(&self, path: &Path) -> Result<Vec<Worktree>, SaveError> {
        self.discard(path, |_| true)
    }

    /// Removes those not written for this long.
    pub fn remove_older(&self, age: Duration) -> io::Result<Pruned> {
        self.remove_if(|_, old| old >= age)
    }

    /// Removes those beyond [`DAYS`] and [`MOST`], and leftovers of killed processes.
    pub fn prune(&self) -> io::Result<Pruned> {
        self.sweep()?;
        let age = DAY * u32::try_from(DAYS).unwrap_or(u32::MAX);
        self.remove_if(|newer, old| old >= age || newer >= MOST)
    }

    /// Removes its worktrees without changes, and the session if `is_due` for the others, which are returned.
    fn discard(&self, path: &Path, is_due: impl Fn(&[Worktree]) -> bool) -> Result<Vec<Worktree>, SaveError> {
        let _claim = Claim::take(path)?;
        let directory = Glance::at(path).ok().and_then(|glance| glance.about.worktrees);
        let others = directory.as_deref().map(worktrees::settle).unwrap_or_default();
        if is_due(&others) {
            fs::remove_file(path).map_err(|reason| SaveError::new(path, "remove", reason))?;
        }
        Ok(others)
    }

    /// `is_due` gets the number of newer ones, and a session's age. One that a process is using is kept.
    fn remove_if(&self, is_due: impl Fn(usize, Duration) -> bool) -> io::Result<Pruned> {
        let now = SystemTime::now();
        let mut files = self.files()?;
        files.sort_by_key(|(_, updated)| std::cmp::Reverse(*updated));
        let mut pruned = Pruned::default();
        for (newer, (path, updated)) in files.into_iter().enumerate() {
            // A clock that was set back makes nothing old.
            let old = now.duration_since(updated).unwrap_or_default();
            if !is_due(newer, old) {
                continue;
            }
            match self.discard(&path, <[Worktree]>::is_empty) {
                Ok(worktrees) if worktrees.is_empty() => pruned.removed.push(id(&path)),
                Ok(_) => pruned.kept.push(id(&path)),
                Err(_) => {}
            }
        }
        Ok(pruned)
    }

    /// Removes files without a session: a process that was killed early leaves its lock.
    fn sweep(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.directory)?.flatten() {
            let path = entry.path();
            let is_beside = path.extension().is_some_and(|it| it == "lock" || it == "partial");
            let session = path.with_extension("");
            let old = entry.metadata().and_then(|about| about.modified());
            let old = old.ok().and_then(|updated| updated.elapsed().ok());
            let is_due = is_beside && old.is_some_and(|old| old >= DAY) && !session.exists();
            if is_due && !Claim::is_taken(&session) {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    fn files(&self) -> io::Result<Vec<(PathBuf, SystemTime)>> {
        let entries = match fs::read_dir(&self.directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let file = |entry: fs::DirEntry| {
            let path = entry.path();
            let is_session = path.extension().is_some_and(|ending| ending == ENDING);
            // For a link, this describes the link.
            let about = entry
                .metadata()
                .ok()
                .filter(|about| about.is_file() && is_session)?;
            Some((path, about.modified().ok()?))
        };
        Ok(entries.flatten().filter_map(file).collect())
    }
}

fn id(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sessions(home: &Path, ids: &[&str]) -> Sessions {
        let sessions = Sessions::of(Some(home)).unwrap();
        fs::create_dir_all(sessions.directory()).unwrap();
        for id in ids {
            fs::write(sessions.directory().join(format!("{id}.session")), "damaged").unwrap();
        }
        sessions
    }

    #[test]
    fn unambiguous_prefixes_find_a_session() {
        let home = tempfile::tempdir().unwrap();
        let sessions = sessions(home.path(), &["ab", "abc", "b0"]);
        let find = |name: &str| sessions.find(name).unwrap().map(|path| id(&path));
        assert_eq!(find("b"), Ok("b0".to_owned()));
        assert_eq!(find("ab"), Ok("ab".to_owned()), "the whole name goes first");
        assert_eq!(find("a"), Err(NotFound::Ambiguous(2)));
        for name in ["", "x", "../ab"] {
            assert_eq!(find(name), Err(NotFound::Unknown), "{name}");
        }
    }

    #[test]
    fn links_are_ignored_and_damaged_files_are_listed() {
        let home = tempfile::tempdir().unwrap();
        let sessions = sessions(home.path(), &["a"]);
        fs::write(sessions.directory().join("notes.txt"), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(
            sessions.directory().join("a.session"),
            sessions.directory().join("b.session"),
        )
        .unwrap();
        let all = sessions.all().unwrap();
        assert_eq!(all.len(), 1);
        assert!(all[0].glance.is_err() && !all[0].is_running);
    }

    #[test]
    fn old_sessions_are_removed_unless_in_use() {
        let home = tempfile::tempdir().unwrap();
        let sessions = sessions(home.path(), &["a", "b", "c"]);
        let long_ago = SystemTime::now() - DAY * 31;
        for id in ["a", "b"] {
            let path = sessions.directory().join(format!("{id}.session"));
            fs::File::options()
                .write(true)
                .open(path)
                .unwrap()
                .set_modified(long_ago)
                .unwrap();
        }
        let tomorrow = SystemTime::now() + DAY;
        let newest = sessions.directory().join("c.session");
        let newest = fs::File::options().write(true).open(newest).unwrap();
        newest.set_modified(tomorrow).unwrap();
        for beside in ["x.session.lock", "x.session.partial"] {
            let file = fs::File::create(sessions.directory().join(beside)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        let claim = Claim::take(&sessions.directory().join("b.session")).unwrap();
        assert_eq!(sessions.prune().unwrap().removed, ["a"]);
        let running: Vec<(String, bool)> = sessions
            .all()
            .unwrap()
            .into_iter()
            .map(|kept| (kept.id, kept.is_running))
            .collect();
        assert_eq!(running, [("c".to_owned(), false), ("b".to_owned(), true)]);
        drop(claim);
        assert_eq!(sessions.remove_older(DAY).unwrap().removed, ["b"]);
        assert_eq!(
            sessions.remove_older(DAY).unwrap(),
            Pruned::default(),
            "a clock was set back"
        );
        assert_eq!(sessions.remove_older(Duration::ZERO).unwrap().removed, ["c"]);
        assert_eq!(fs::read_dir(sessions.directory()).unwrap().count(), 0);
    }
}
