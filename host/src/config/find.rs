//! Finds the configuration of a project.

use std::path::{Path, PathBuf};

use crate::Place;
use crate::places::{CONFIGURATION, is_repository};

/// The nearest file upwards from the project, by the path that leads there from it. The search ends at the root of the repository or the
/// home directory; outside of both, only the project's own file is used.
pub fn find(project: &Path, home: Option<&Place>) -> Option<PathBuf> {
    let real = project.canonicalize().ok()?;
    let home = home.and_then(|home| home.path.canonicalize().ok());
    let is_last = |directory: &Path| is_repository(directory) || home.as_deref() == Some(directory);
    let depth = real.ancestors().position(is_last).unwrap_or_default();
    let directories = real.ancestors().take(depth + 1);
    let steps = directories
        .into_iter()
        .position(|directory| directory.join(CONFIGURATION).exists())?;
    let project = if project == Path::new(".") {
        Path::new("")
    } else {
        project
    };
    let up = std::iter::repeat_n("..", steps);
    Some(
        up.fold(project.to_owned(), |path, up| path.join(up))
            .join(CONFIGURATION),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_file_within_the_boundary_is_found() {
        let world = tempfile::tempdir().unwrap();
        let at = |path: &str| world.path().join(path);
        fs::create_dir_all(at("home/work/deep")).unwrap();
        fs::write(at(CONFIGURATION), "").unwrap();
        let home = Place::new("~", at("home"));
        let found = |project: &str| find(&at(project), Some(&home));
        assert_eq!(found("home/work/deep"), None, "above the home directory");
        fs::write(at("home/callsheet.toml"), "").unwrap();
        let expected = at("home/work/deep/../../callsheet.toml");
        assert_eq!(found("home/work/deep"), Some(expected));
        fs::create_dir(at("home/work/.git")).unwrap();
        assert_eq!(found("home/work/deep"), None, "above the repository");
        fs::write(at("home/work/callsheet.toml"), "").unwrap();
        assert_eq!(found("home/work"), Some(at("home/work/callsheet.toml")));
        assert_eq!(find(&at("home"), None), Some(at("home/callsheet.toml")));
        assert_eq!(find(&at("home/nowhere"), None), None);
    }
}
