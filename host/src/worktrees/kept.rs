//! Worktrees at the end of a session, and those that earlier ones left.

use std::fs;
use std::path::Path;

use super::changes::{self, Changes};
use super::git::Git;
use super::record::Record;
use crate::output::report::Worktree;

/// Removes worktrees without changes. Returns the others.
pub fn settle(directory: &Path) -> Vec<Worktree> {
    let kept = each(directory, true);
    // Not empty if some are kept, and not there if none was made.
    let _ = fs::remove_dir(directory);
    kept
}

/// The worktrees with changes. Removes nothing.
pub fn kept(directory: &Path) -> Vec<Worktree> {
    each(directory, false)
}

fn each(directory: &Path, removes: bool) -> Vec<Worktree> {
    let ids = Record::all(directory).into_iter();
    ids.filter_map(|id| one(directory, id, removes)).collect()
}

fn one(directory: &Path, id: u32, removes: bool) -> Option<Worktree> {
    let tree = directory.join(id.to_string());
    let record = match Record::read(directory, id) {
        Ok(record) => record?,
        Err(problem) => {
            return Some(Worktree {
                path: tree.to_string_lossy().into_owned(),
                problem: Some(problem),
                ..Worktree::default()
            });
        }
    };
    let is_there = tree.exists();
    if !record.is_made || !is_there && commits(&record) == Ok(0) {
        if removes {
            discard(&tree, &record);
            Record::remove(directory, id);
        }
        return None;
    }
    let mut worktree = Worktree {
        agent: record.agent.clone(),
        path: tree.to_string_lossy().into_owned(),
        branch: record.branch.clone(),
        ..Worktree::default()
    };
    if !is_there {
        worktree.problem = Some("the directory was removed".to_owned());
        let commits = commits(&record).unwrap_or_default();
        let changes = Changes {
            commits,
            ..Changes::default()
        };
        fill(&mut worktree, &record, changes);
        return Some(worktree);
    }
    let changes = match Changes::of(&tree, &record) {
        Ok(changes) if changes.is_none() => {
            if !removes {
                return None;
            }
            match remove(&tree, &record) {
                Ok(()) => {
                    Record::remove(directory, id);
                    return None;
                }
                Err(problem) => {
                    worktree.problem = Some(problem);
                    changes
                }
            }
        }
        Ok(changes) => changes,
        Err(problem) => {
            worktree.problem = Some(problem);
            Changes::default()
        }
    };
    fill(&mut worktree, &record, changes);
    Some(worktree)
}

/// The commits on the branch of a worktree without a directory; 0 if the user removed the branch, too.
fn commits(record: &Record) -> Result<u32, String> {
    let git = Git::within(&record.repository)?;
    let branch = format!("refs/heads/{}", record.branch);
    if git.run(&["rev-parse", "--verify", "--quiet", &*branch]).is_err() {
        return Ok(0);
    }
    changes::count(&git, &[&*branch], &record.start)
}

fn fill(worktree: &mut Worktree, record: &Record, changes: Changes) {
    let quoted = |text: &str| match shlex::try_quote(text) {
        Ok(quoted) => quoted.into_owned(),
        // No file name has a zero byte.
        Err(_) => text.to_owned(),
    };
    let (path, repository) = (
        quoted(&worktree.path),
        quoted(&record.repository.to_string_lossy()),
    );
    if !changes.uncommitted.is_empty() {
        worktree.commit = Some(format!("git -C {path} add --all && git -C {path} commit"));
    }
    if changes.commits > 0 || !changes.uncommitted.is_empty() {
        let tip = match &changes.branch {
            Some(branch) => quoted(branch),
            None if changes.is_detached => format!("\"$(git -C {path} rev-parse HEAD)\""),
            None => quoted(&record.branch),
        };
        worktree.merge = Some(format!("git -C {repository} merge {tip}"));
    }
    worktree.delete = format!(
        "git -C {repository} worktree remove --force {path} && git -C {repository} branch -D {}",
        quoted(&record.branch)
    );
    worktree.commits = changes.commits;
    worktree.files = changes.files;
    worktree.uncommitted = changes.uncommitted;
    worktree.ignored = changes.ignored;
}

/// Removes a worktree without changes, and its branch if it is still where it started.
fn remove(tree: &Path, record: &Record) -> Result<(), String> {
    let git = Git::within(&record.repository)?;
    // Git itself refuses those with submodules, and knows nothing of ignored files: both were checked.
    git.run(&["worktree", "remove", "--force", &*tree.to_string_lossy()])?;
    let branch = format!("refs/heads/{}", record.branch);
    git.run(&["update-ref", "-d", &*branch, &*record.start]).map(drop)
}

/// Removes what is left of a worktree that no agent has worked in.
pub(super) fn discard(tree: &Path, record: &Record) {
    // Each part may be missing.
    if let Ok(git) = Git::within(&record.repository) {
        let _ = git.run(&[
            "worktree",
            "remove",
            "--force",
            "--force",
            &*tree.to_string_lossy(),
        ]);
        let branch = format!("refs/heads/{}", record.branch);
        let _ = git.run(&["update-ref", "-d", &*branch, &*record.start]);
    }
    if !record.is_made {
        let _ = fs::remove_dir_all(tree);
    }
}
