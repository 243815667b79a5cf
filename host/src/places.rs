//! Directories and their names.

use std::path::{Component, Path, PathBuf};

/// The name of a project's configuration.
pub const CONFIGURATION: &str = "callsheet.toml";

/// A directory, and its name for the component and its findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name: the user's, or a short word such as `~`.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
}

impl Place {
    /// A directory with a name of its own.
    pub fn new(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            path: path.into(),
        }
    }

    /// The user's home directory, named `~`. None if the system does not know one.
    pub fn home() -> Option<Self> {
        std::env::home_dir()
            .filter(|path| !path.as_os_str().is_empty())
            .map(|path| Self::new("~", path))
    }

    /// The directories above this one in the same project, the nearest first: up to the root of the repository. Outside of a repository, up
    /// to the nearest `callsheet.toml`.
    pub(crate) fn ancestors(&self) -> Vec<Self> {
        let Ok(real) = self.path.canonicalize() else {
            return Vec::new();
        };
        let is_configured = |directory: &Path| directory.join(CONFIGURATION).is_file();
        let top = |is_top: &dyn Fn(&Path) -> bool| real.ancestors().position(is_top);
        let Some(depth) = top(&is_repository).or_else(|| top(&is_configured)) else {
            return Vec::new();
        };
        let mut place = self.clone();
        let mut above = |directory: &Path| {
            place = place.above(directory);
            place.clone()
        };
        real.ancestors().skip(1).take(depth).map(&mut above).collect()
    }

    /// The `directory` above this one: without its last part, unless that is a link or the name is not its path.
    fn above(&self, directory: &Path) -> Self {
        let name = Path::new(&self.name);
        let shorter = match name.parent() {
            Some(parent) if parent == Path::new("") => Some(Path::new(".")),
            parent => parent,
        };
        let shorter = shorter.filter(|_| matches!(name.components().next_back(), Some(Component::Normal(_))));
        let is_it = |path: &&Path| path.canonicalize().is_ok_and(|real| real == directory);
        if let Some(shorter) = shorter.filter(is_it).and_then(Path::to_str) {
            return Self::new(shorter, shorter);
        }
        let name = if self.name == "." {
            "..".to_owned()
        } else {
            format!("{}/..", self.name)
        };
        Self::new(name, self.path.join(".."))
    }
}

/// The directory that an environment variable names instead of `replaced`, a part of the home directory. None if it is that part, or the
/// same part of one of `others`: its agents would be found twice.
pub(crate) fn moved<'p>(
    variable: &str,
    replaced: &str,
    mut others: impl Iterator<Item = &'p Place>,
) -> Option<Place> {
    let path = PathBuf::from(std::env::var_os(variable).filter(|value| !value.is_empty())?);
    let real = path.canonicalize().ok();
    let is_there =
        real.is_some() && others.any(|other| other.path.join(replaced).canonicalize().ok() == real);
    (!is_there).then(|| Place::new(format!("${variable}"), path))
}

/// Whether this is the root of a repository. In a worktree or a submodule `.git` is a file.
pub(crate) fn is_repository(directory: &Path) -> bool {
    directory.join(".git").exists()
}

impl<Name: Into<String>> From<Name> for Place {
    /// A directory named by its path.
    fn from(name: Name) -> Self {
        let name = name.into();
        Self {
            path: PathBuf::from(&name),
            name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(project: Place) -> Vec<String> {
        project.ancestors().into_iter().map(|place| place.name).collect()
    }

    #[test]
    fn ancestors_end_at_the_repository() {
        let world = tempfile::tempdir().unwrap();
        let deep = world.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        assert!(names(Place::new(".", &deep)).is_empty());
        std::fs::create_dir(world.path().join(".git")).unwrap();
        assert_eq!(names(Place::new(".", &deep)), ["..", "../.."]);
        assert_eq!(names(Place::new("x", &deep)), ["x/..", "x/../.."]);
        assert!(names(Place::new(".", world.path())).is_empty());
    }
}
