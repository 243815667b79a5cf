//! The servers of a project.

use std::io;
use std::path::{Path, PathBuf};

use super::{Server, servers_of_file};
use crate::regular;

/// The file that defines them.
const FILE: &str = ".mcp.json";

/// The contents of a project's `.mcp.json`.
#[derive(Clone, Debug)]
pub struct ProjectServers {
    /// The real path of the file.
    pub path: PathBuf,
    /// Its bytes: an approval is for them.
    pub contents: Vec<u8>,
    /// The servers, sorted by name.
    pub servers: Vec<Server>,
    /// Problems of others.
    pub problems: Vec<String>,
}

impl ProjectServers {
    /// Reads the file; none if it does not exist.
    ///
    /// Fails with the problem, for display.
    pub fn read(project: &Path) -> Result<Option<Self>, String> {
        let found = read(&project.join(FILE));
        let (path, contents) = match found {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found.map_err(|error| format!("{FILE}: cannot be read: {error}"))?,
        };
        let text = String::from_utf8_lossy(&contents);
        let (servers, problems) = servers_of_file(FILE, &text)?;
        Ok(Some(Self {
            path,
            contents,
            servers,
            problems,
        }))
    }
}

fn read(file: &Path) -> io::Result<(PathBuf, Vec<u8>)> {
    let path = file.canonicalize()?;
    let contents = regular::read(&path)?;
    Ok((path, contents))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        for target in ["/dev/zero", "/dev/tty", "."] {
            let project = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(target, project.path().join(FILE)).unwrap();
            let refused = ProjectServers::read(project.path()).unwrap_err();
            assert_eq!(refused, ".mcp.json: cannot be read: not a regular file");
        }
    }
}
