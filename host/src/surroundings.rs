//! What agents are told about where they work.

use std::path::Path;

use crate::delegation::{Repository, Surroundings};
use crate::places::is_repository;
use crate::worktrees::{Git, NOT_WITHIN};

/// The surroundings of a project now. No program that its repository names runs.
pub fn surroundings(project: &Path) -> Surroundings {
    let is_repository = project.ancestors().any(is_repository);
    Surroundings {
        directory: project.to_string_lossy().into_owned(),
        platform: std::env::consts::OS.to_owned(),
        date: chrono::Local::now().format("%Y-%m-%d").to_string(),
        personal: true,
        is_repository,
        // Without git, or in a repository that it refuses, there is nothing to tell.
        repository: is_repository.then(|| state(project).ok()).flatten(),
    }
}

fn state(project: &Path) -> Result<Repository, String> {
    let git = Git::within(project)?;
    let branch = git.text(&["branch", "--show-current"])?;
    let changes = git.text(&["status", "--short", "--untracked-files=normal", NOT_WITHIN])?;
    // A repository without commits has no log.
    let commits = git.text(&["log", "--oneline", "--no-decorate", "--max-count=5"]);
    let lines = |text: String| text.lines().map(str::to_owned).collect();
    Ok(Repository {
        branch: Some(branch).filter(|branch| !branch.is_empty()),
        changes: lines(changes),
        commits: commits.map(lines).unwrap_or_default(),
    })
}
