//! A directory that no path below it leads out of.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

/// A directory, opened when first needed.
pub(crate) struct Root {
    path: PathBuf,
    follow_links: bool,
    open: OnceLock<Dir>,
}

/// Where a link leads.
enum Link {
    Inside(PathBuf),
    Outside(PathBuf),
}

impl Root {
    pub(crate) fn new(path: PathBuf, follow_links: bool) -> Self {
        Self {
            path,
            follow_links,
            open: OnceLock::new(),
        }
    }

    /// The system path of the same place.
    pub(crate) fn path(&self, below: &Path) -> PathBuf {
        self.path.join(below)
    }

    /// The path of `real`, a path without links, relative to this place, if it is here.
    pub(crate) fn below(&self, real: &Path) -> Option<PathBuf> {
        real.strip_prefix(self.path.canonicalize().ok()?)
            .ok()
            .map(Path::to_owned)
    }

    pub(crate) fn open_directory(&self, below: &Path) -> io::Result<Dir> {
        let outside = |path: &Path| Dir::open_ambient_dir(path, ambient_authority());
        if below.as_os_str().is_empty() {
            return self.directory()?.try_clone();
        }
        self.at(below, |root, path| root.open_dir(path), outside)
    }

    pub(crate) fn open_file(&self, below: &Path) -> io::Result<File> {
        let outside = |path: &Path| File::open_ambient_with(path, &reading(), ambient_authority());
        self.at(below, open_file, outside)
    }

    pub(crate) fn metadata(&self, below: &Path) -> io::Result<Metadata> {
        let outside = |path: &Path| {
            let file_name = path.file_name().ok_or(io::ErrorKind::PermissionDenied)?;
            let parent = path.parent().ok_or(io::ErrorKind::PermissionDenied)?;
            Dir::open_ambient_dir(parent, ambient_authority())?.metadata(file_name)
        };
        self.at(below, |root, path| root.metadata(path), outside)
    }

    /// Does something at a path below. `cap-std` refuses every absolute link, so refused paths are resolved again: a link that ends inside
    /// counts as inside, in any form.
    fn at<T>(
        &self,
        below: &Path,
        inside: impl Fn(&Dir, &Path) -> io::Result<T>,
        outside: impl FnOnce(&Path) -> io::Result<T>,
    ) -> io::Result<T> {
        let refused = match inside(self.directory()?, below) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => error,
            done => return done,
        };
        match self.link(below) {
            Some(Link::Inside(path)) => inside(self.directory()?, &path),
            Some(Link::Outside(path)) if self.follow_links => outside(&path),
            _ => Err(refused),
        }
    }

    /// The real directory of the file below, and the file's name there. No link may lead out, even where that is allowed for reading.
    pub(crate) fn holder(&self, below: &Path) -> io::Result<(Dir, OsString)> {
        let real = self.inside(below)?;
        let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let directory = if parent.as_os_str().is_empty() {
            self.directory()?.try_clone()?
        } else {
            self.directory()?.open_dir(parent)?
        };
        Ok((directory, name.to_owned()))
    }

    /// The directory for a file below, created if missing, and the file's name. The directory may not lead out; the name is not checked.
    pub(crate) fn room_for(&self, below: &Path) -> io::Result<(Dir, OsString)> {
        let (Some(parent), Some(name)) = (below.parent(), below.file_name()) else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        // A variable may name the place before anything is in it.
        std::fs::create_dir_all(&self.path)?;
        let exists = |path: &&Path| self.path.join(path).exists();
        let there = parent.ancestors().find(exists).unwrap_or(Path::new(""));
        let missing = parent.strip_prefix(there).unwrap_or(Path::new(""));
        let directory = self.inside(there)?.join(missing);
        if directory.as_os_str().is_empty() {
            return Ok((self.directory()?.try_clone()?, name.to_owned()));
        }
        self.directory()?.create_dir_all(&directory)?;
        Ok((self.directory()?.open_dir(directory)?, name.to_owned()))
    }

    /// The real path of a path below, which may not be outside.
    fn inside(&self, below: &Path) -> io::Result<PathBuf> {
        match self.link(below).ok_or(io::ErrorKind::NotFound)? {
            Link::Inside(real) => Ok(real),
            Link::Outside(real) => {
                let reason = format!(
                    "it is a link that leads out, to {}; name that file",
                    real.display()
                );
                Err(io::Error::new(io::ErrorKind::PermissionDenied, reason))
            }
        }
    }

    /// Whether the link `name` in the directory `below` leads to that directory, to one above it, or to one that `below` leads through.
    pub(crate) fn leads_up(&self, below: &Path, name: impl AsRef<Path>) -> bool {
        let directory = self.path.join(below);
        let ends = directory
            .join(name)
            .canonicalize()
            .and_then(|end| Ok((end, directory.canonicalize()?)));
        let leads_through = |end: &Path| {
            let mut above = below
                .ancestors()
                .map(|above| self.path.join(above).canonicalize());
            above.any(|above| above.is_ok_and(|above| above == end))
        };
        ends.is_ok_and(|(end, directory)| directory.starts_with(&end) || leads_through(&end))
    }

    fn link(&self, below: &Path) -> Option<Link> {
        let real = self.path.join(below).canonicalize().ok()?;
        Some(
            self.below(&real)
                .map_or_else(|| Link::Outside(real), Link::Inside),
        )
    }

    fn directory(&self) -> io::Result<&Dir> {
        if self.open.get().is_none() {
            let opened = Dir::open_ambient_dir(&self.path, ambient_authority())?;
            // Another thread's handle is as good.
            let _ = self.open.set(opened);
        }
        Ok(self.open.get().expect("it was just set"))
    }
}

/// Opens a file of a directory without blocking: a pipe without a writer would never open.
pub(crate) fn open_file(directory: &Dir, path: &Path) -> io::Result<File> {
    directory.open_with(path, &reading())
}

fn reading() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    options
}
