//! Git repositories outside of the project, as for worktrees.

use std::fs;
use std::path::{Path, PathBuf};

/// The paths that git writes for a project whose `.git` is a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Repository {
    /// The directories.
    pub(super) directories: Vec<PathBuf>,
    /// Files in them that run programs.
    pub(super) programs: Vec<PathBuf>,
}

/// The repository that a project's `.git` names. None if `.git` is a directory, or the repository does not name the project.
pub(super) fn elsewhere(project: &Path) -> Option<Repository> {
    let file = project.join(".git");
    if !fs::symlink_metadata(&file).ok()?.is_file() {
        return None;
    }
    let named = fs::read_to_string(&file).ok()?;
    let own = project
        .join(named.strip_prefix("gitdir:")?.trim())
        .canonicalize()
        .ok()?;
    let line = |name: &str| Some(own.join(fs::read_to_string(own.join(name)).ok()?.trim_end()));
    // The repository must name the project, too: a file of the project alone could name any directory.
    if line("gitdir")?.canonicalize().ok()? != file {
        return None;
    }
    let common = line("commondir")?.canonicalize().ok()?;
    if !common.join("HEAD").is_file() || !common.join("objects").is_dir() {
        return None;
    }
    Some(Repository {
        programs: ["config", "hooks"].map(|name| common.join(name)).into(),
        directories: [common, own].into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktrees_are_part_of_their_repository() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let (project, common) = (folder.join("project"), folder.join("common"));
        let own = common.join("worktrees/project");
        for directory in [&project, &own, &common.join("objects")] {
            fs::create_dir_all(directory).unwrap();
        }
        fs::write(common.join("HEAD"), "").unwrap();
        fs::write(project.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
        fs::write(own.join("commondir"), "../..\n").unwrap();
        assert_eq!(elsewhere(&project), None, "it does not name the project");
        fs::write(
            own.join("gitdir"),
            format!("{}\n", project.join(".git").display()),
        )
        .unwrap();
        let found = elsewhere(&project).unwrap();
        assert_eq!(found.directories, [common.clone(), own]);
        assert_eq!(found.programs, [common.join("config"), common.join("hooks")]);
    }
}
