//! The changes in a worktree since its start.

use std::fs;
use std::path::Path;

use super::git::{Git, NOT_WITHIN};
use super::record::Record;

/// The changes in a worktree.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Changes {
    /// Commits beyond the start.
    pub(super) commits: u32,
    /// Whether the branch or the working tree left the start and came back: the reflog alone has those commits.
    pub(super) has_moved: bool,
    /// Files that differ from the start, new ones included.
    pub(super) files: Vec<String>,
    /// Those of them whose changes are not committed.
    pub(super) uncommitted: Vec<String>,
    /// Files and directories that git ignores, and repositories within this one, whose changes it does not tell.
    pub(super) ignored: Vec<String>,
    /// The branch that is checked out, if it is another one than the worktree's own.
    pub(super) branch: Option<String>,
    /// Whether no branch is checked out, and the commits or changes are there.
    pub(super) is_detached: bool,
}

impl Changes {
    /// The changes of a complete worktree.
    pub(super) fn of(tree: &Path, record: &Record) -> Result<Self, String> {
        let git = Git::within(tree)?;
        let start = &*record.start;
        let branch = format!("refs/heads/{}", record.branch);
        let is_there = git.run(&["rev-parse", "--verify", "--quiet", &*branch]).is_ok();
        let tips = ["HEAD", &*branch];
        let tips = &tips[..if is_there { 2 } else { 1 }];
        let moves = git.text(&["log", "--walk-reflogs", "--format=%H", "HEAD", "--"])?;
        let named = git.text(&["rev-parse", "--abbrev-ref", "HEAD"])?;
        let head = git.text(&["rev-parse", "HEAD"])?;
        let status = [
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=normal",
            "--ignored=traditional",
            NOT_WITHIN,
        ];
        let mut changes = Self {
            commits: count(&git, tips, start)?,
            has_moved: !is_there || head != start || moves.lines().any(|hash| hash != start),
            ..Self::default()
        };
        let differs = [
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            NOT_WITHIN,
            "--name-only",
            "-z",
            start,
            "--",
        ];
        changes.files = git.names(&differs)?;
        for entry in git.names(&status)? {
            let Some((kind, name)) = entry.split_at_checked(3) else {
                continue;
            };
            match kind {
                "!! " => changes.ignored.push(name.to_owned()),
                _ => changes.uncommitted.push(name.to_owned()),
            }
        }
        let new = changes
            .uncommitted
            .iter()
            .filter(|name| !changes.files.contains(name));
        let new: Vec<String> = new.cloned().collect();
        changes.files.extend(new);
        changes.files.sort();
        let within = within(&git, tree)?.into_iter();
        let unknown = within.filter(|name| !changes.files.contains(name));
        changes.ignored.extend(unknown.collect::<Vec<_>>());
        // Otherwise its commits are on its own branch, whatever is checked out now.
        if !changes.uncommitted.is_empty() || count(&git, &["HEAD"], start)? > 0 {
            changes.is_detached = named == "HEAD";
            changes.branch = Some(named).filter(|named| named != "HEAD");
        }
        Ok(changes)
    }

    /// Whether the worktree can be removed without a loss.
    pub(super) fn is_none(&self) -> bool {
        let lists = [&self.files, &self.uncommitted, &self.ignored];
        self.commits == 0 && !self.has_moved && lists.iter().all(|list| list.is_empty())
    }
}

/// The repositories within this one that are there: a new worktree has none.
fn within(git: &Git, tree: &Path) -> Result<Vec<String>, String> {
    let entries = git.names(&["ls-files", "--stage", "-z"])?;
    let links = entries.iter().filter_map(|entry| entry.strip_prefix("160000 "));
    let names = links.filter_map(|link| Some(link.split_once('\t')?.1.to_owned()));
    let is_there =
        |name: &String| fs::read_dir(tree.join(name)).is_ok_and(|mut files| files.next().is_some());
    Ok(names.filter(is_there).collect())
}

/// The commits that lead to these tips and not to the start.
pub(super) fn count(git: &Git, tips: &[&str], start: &str) -> Result<u32, String> {
    let counted = git.text(&[&["rev-list", "--count"], tips, &["--not", start, "--"]].concat())?;
    counted
        .parse()
        .map_err(|_| format!("git: `{counted}` is not a number"))
}
