//! Git worktrees of agents whose files ask for isolation.
//!
//! The component decides which agent works where. A worktree is made when its agent first needs it, on a branch of its own. At the end
//! of a session, those without changes are removed; others are only the user's to remove.

mod changes;
mod git;
mod kept;
mod record;
mod repository;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::{self, DirBuilder};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use self::git::{Git, NOT_WITHIN};
pub use self::kept::{kept, settle};
use self::record::Record;
use self::repository::Repository;
use crate::Say;
use crate::conversation::Workspace;
use crate::delegation::Workspaces;
use crate::drive::Sessions;
use crate::output::text::clean;

/// The most characters of an agent's name in the name of a branch.
const NAME: usize = 40;

/// The worktrees of one session.
pub struct Worktrees {
    /// Contains them, and nothing else. A real path.
    directory: PathBuf,
    /// The project's directory, a real path.
    project: PathBuf,
    /// The project's path in each.
    below: String,
    say: Say,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Those that were asked for, and whether they are ready.
    known: BTreeMap<u32, Result<(), String>>,
    has_warned: bool,
}

impl Debug for Worktrees {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Worktrees").field(&self.directory).finish()
    }
}

impl Worktrees {
    /// The worktrees of a new session, in the user's state directory; `home` replaces the user's home directory. Nothing is written yet.
    ///
    /// Fails with the reason why the project can have none.
    pub fn new(project: &Path, home: Option<&Path>, say: Say) -> Result<Self, String> {
        let state = Sessions::of(home).ok_or("no home directory is known")?;
        let id = RandomState::new().build_hasher().finish();
        let directory = state
            .directory()
            .with_file_name("worktrees")
            .join(format!("{id:016x}"));
        Self::at(&directory, project, say)
    }

    /// Those of a session that is resumed. Fails in the same way.
    pub fn at(directory: &Path, project: &Path, say: Say) -> Result<Self, String> {
        let project = project.canonicalize().map_err(|error| error.to_string())?;
        let repository = Repository::of(&project)?;
        let directory = real(directory);
        if directory.starts_with(&repository.top) {
            return Err("the user's state directory is in the repository".to_owned());
        }
        if directory.to_str().is_none() {
            return Err("the path of the user's state directory is not valid UTF-8".to_owned());
        }
        Ok(Self {
            directory,
            project,
            below: repository.project,
            say,
            state: Mutex::default(),
        })
    }

    /// The directory that contains them.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Their places, for the component.
    pub fn places(&self) -> Workspaces {
        Workspaces {
            directory: self.directory.to_string_lossy().into_owned(),
            project: self.below.clone(),
        }
    }

    /// Makes the worktree of a workspace, unless it is there. It may take as long as a checkout does.
    ///
    /// Fails with the reason, also if it was there before and is not any more: changes may be missing in a new one.
    pub fn ready(&self, workspace: &Workspace) -> Result<(), String> {
        let mut state = self.state();
        if let Some(known) = state.known.get(&workspace.id) {
            return known.clone();
        }
        let made = self.find(workspace).and_then(|is_there| {
            if is_there {
                return Ok(());
            }
            self.make(workspace, &mut state.has_warned)
        });
        if let Err(reason) = &made {
            (self.say)(&format!(
                "no worktree for {}: {}",
                path(&workspace.agent),
                clean(reason)
            ));
        }
        state.known.insert(workspace.id, made.clone());
        made
    }

    /// Fails if a worktree of a resumed session is missing.
    pub fn check(&self, workspace: &Workspace) -> Result<(), String> {
        self.find(workspace).map(drop)
    }

    /// Whether a complete worktree is there.
    fn find(&self, workspace: &Workspace) -> Result<bool, String> {
        let tree = self.tree(workspace.id);
        match Record::read(&self.directory, workspace.id)? {
            Some(record) if record.is_made && tree.join(".git").is_file() => Ok(true),
            Some(record) if record.is_made => Err(format!(
                "the worktree {} of {} was removed; its branch was {}",
                tree.display(),
                path(&record.agent),
                record.branch
            )),
            _ => Ok(false),
        }
    }

    fn make(&self, workspace: &Workspace, has_warned: &mut bool) -> Result<(), String> {
        let tree = self.tree(workspace.id);
        // A run that was killed while it made one: no agent has worked in it.
        if let Some(record) = Record::read(&self.directory, workspace.id)? {
            kept::discard(&tree, &record);
        }
        let repository = Repository::of(&self.project)?;
        create_private(&self.directory)?;
        let mut record = Record {
            agent: workspace.agent.clone(),
            repository: repository.top.clone(),
            branch: self.branch(workspace),
            start: repository.head.clone(),
            is_made: false,
        };
        record.write(&self.directory, workspace.id)?;
        let made = repository.git.run(&[
            "worktree",
            "add",
            "--quiet",
            "-b",
            &*record.branch,
            &*tree.to_string_lossy(),
            &*record.start,
        ]);
        let made = made.and_then(|_| self.is_complete(workspace));
        if let Err(reason) = made {
            kept::discard(&tree, &record);
            Record::remove(&self.directory, workspace.id);
            return Err(reason);
        }
        record.is_made = true;
        record.write(&self.directory, workspace.id)?;
        if !std::mem::replace(has_warned, true) && repository.is_dirty() {
            (self.say)("note: uncommitted changes of the project are not in worktrees");
        }
        Ok(())
    }

    /// The project's directory must be in it, by the name that the component checks paths with.
    fn is_complete(&self, workspace: &Workspace) -> Result<(), String> {
        let root = Path::new(&workspace.root);
        match root.canonicalize() {
            Ok(real) if real == root && root == self.tree(workspace.id).join(&self.below) => Ok(()),
            _ => Err("the project's directory is not in the last commit".to_owned()),
        }
    }

    fn tree(&self, id: u32) -> PathBuf {
        self.directory.join(id.to_string())
    }

    /// A name that is valid for git and not used: `callsheet/AGENT-SESSION-NUMBER`.
    fn branch(&self, workspace: &Workspace) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let agent = workspace.agent.last().map(String::as_str).unwrap_or_default();
        let agent: String = agent.chars().take(NAME).map(plain).collect();
        let agent = match agent.trim_matches('-') {
            "" => "agent",
            agent => agent,
        };
        let session = self.directory.file_name().unwrap_or_default().to_string_lossy();
        format!("callsheet/{agent}-{session}-{}", workspace.id)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A poisoned lock is safe: an entry is added as a whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The agent with its callers, for the user.
pub(super) fn path(agent: &[String]) -> String {
    clean(&agent.join(" > "))
}

/// The path without links. Its end need not exist yet.
fn real(path: &Path) -> PathBuf {
    let there = path
        .ancestors()
        .find_map(|it| Some((it, it.canonicalize().ok()?)));
    match there.and_then(|(there, real)| Some(real.join(path.strip_prefix(there).ok()?))) {
        Some(real) => real,
        None => path.to_owned(),
    }
}

/// Like sessions, only the user may read worktrees.
fn create_private(directory: &Path) -> Result<(), String> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let created = builder
        .create(directory)
        .and_then(|()| fs::canonicalize(directory));
    match created {
        Ok(real) if real == directory => Ok(()),
        Ok(_) => Err(format!("{} was replaced by a link", directory.display())),
        Err(error) => Err(format!("cannot create {}: {error}", directory.display())),
    }
}
