//! The project, and the copies of it that isolated agents work in.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::project::Project;
use crate::conversation::Workspace;
use crate::worktrees::Worktrees;

/// The project and its copies.
pub(super) struct Copies {
    project: Arc<Project>,
    worktrees: Option<Arc<Worktrees>>,
    /// The opened ones, by the numbers of their workspaces.
    open: Mutex<BTreeMap<u32, Arc<Project>>>,
}

impl Copies {
    pub(super) fn new(project: Project, worktrees: Option<Arc<Worktrees>>) -> Self {
        Self {
            project: Arc::new(project),
            worktrees,
            open: Mutex::default(),
        }
    }

    /// The one of a workspace, if it is open.
    pub(super) fn known(&self, workspace: Option<&Workspace>) -> Option<Arc<Project>> {
        match workspace {
            None => Some(Arc::clone(&self.project)),
            Some(workspace) => self.open().get(&workspace.id).cloned(),
        }
    }

    /// The same; its worktree is made if necessary, which may take a while.
    pub(super) fn of(&self, workspace: Option<&Workspace>) -> Result<Arc<Project>, String> {
        let Some(workspace) = workspace else {
            return Ok(Arc::clone(&self.project));
        };
        if let Some(open) = self.known(Some(workspace)) {
            return Ok(open);
        }
        let worktrees = self.worktrees.as_ref().ok_or("there are no worktrees here")?;
        worktrees.ready(workspace)?;
        let opened = Project::open(Path::new(&workspace.root), None).map_err(|error| error.to_string())?;
        let opened = Arc::new(opened);
        self.open().insert(workspace.id, Arc::clone(&opened));
        Ok(opened)
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<Project>>> {
        // A poisoned lock is safe: an entry is added as a whole.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
