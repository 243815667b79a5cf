//! The repository of a project, as far as worktrees need it.

use std::path::{Path, PathBuf};

use super::git::{Git, NOT_WITHIN};

const ELSEWHERE: &str = "the repository's working tree is in another place";

/// A repository with a commit that contains the project.
pub(super) struct Repository {
    pub(super) git: Git,
    /// The top of its working tree.
    pub(super) top: PathBuf,
    /// The project's path in it.
    pub(super) project: String,
    /// Its last commit.
    pub(super) head: String,
}

impl Repository {
    /// The repository of a project, whose path is a real one. Fails with the reason why it has no worktrees.
    pub(super) fn of(project: &Path) -> Result<Self, String> {
        // Worktrees need names that the component can compare: it takes `\` for no separator.
        if cfg!(windows) {
            return Err("worktrees are not available on Windows".to_owned());
        }
        // Without a repository, no program has to start to see that.
        if !project.ancestors().any(crate::places::is_repository) {
            return Err("the project is not in a git repository".to_owned());
        }
        let git = Git::within(project).map_err(reason)?;
        let known = git.text(&["rev-parse", "--show-toplevel", "HEAD^{commit}", "HEAD:./"]);
        let known = known.map_err(reason)?;
        // The path may contain line ends, and the other lines are hashes.
        let mut lines = known.rsplitn(3, '\n');
        let (_, head, top) = (lines.next(), lines.next(), lines.next());
        let (head, top) = head.zip(top).ok_or("git: an unknown answer")?;
        let top = PathBuf::from(top);
        let below = project.strip_prefix(&top);
        let below = below.map_err(|_| ELSEWHERE.to_owned())?;
        let below = below.to_str().ok_or("the project's path is not valid UTF-8")?;
        Ok(Self {
            git,
            project: below.to_owned(),
            head: head.to_owned(),
            top,
        })
    }

    /// Whether files differ from the last commit: a worktree does not have the changes.
    pub(super) fn is_dirty(&self) -> bool {
        let status = ["status", "--porcelain", "--untracked-files=normal", NOT_WITHIN];
        self.git.run(&status).is_ok_and(|output| !output.is_empty())
    }
}

/// The reason in words of its own where git's are about its arguments.
fn reason(told: String) -> String {
    let known = [
        ("not a git repository", "the project is not in a git repository"),
        ("must be run in a work tree", "the repository has no working tree"),
        ("outside working tree", ELSEWHERE),
        ("'HEAD^{commit}'", "the repository has no commits yet"),
        (
            "not in 'HEAD'",
            "the project's directory is not in the last commit",
        ),
        (
            "not exist in 'HEAD'",
            "the project's directory is not in the last commit",
        ),
    ];
    let known = known.iter().find(|(words, _)| told.contains(words));
    known.map_or(told, |(_, reason)| (*reason).to_owned())
}
