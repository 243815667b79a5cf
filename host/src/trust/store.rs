//! The store of trusted files: in the user's data directory, never in a project.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{Place, regular};

/// The file with the trusted files.
pub const FILE: &str = "trusted.json";

/// The program's directory in those of the user.
pub const DIRECTORY: &str = "callsheet";

/// The files that the user trusts.
#[derive(Debug)]
pub struct Trust {
    directory: PathBuf,
    kept: Kept,
}

/// The file: the SHA-256 of the contents by path.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    files: BTreeMap<PathBuf, String>,
}

impl Trust {
    /// The files that the user trusts; `home` replaces the user's home directory.
    ///
    /// Fails if the store cannot be read.
    pub fn open(home: Option<&Path>) -> io::Result<Self> {
        let directory = directory(home).ok_or_else(|| io::Error::other("no home directory is known"))?;
        Self::open_in(directory)
    }

    fn open_in(directory: PathBuf) -> io::Result<Self> {
        let kept = match regular::read(&directory.join(FILE)) {
            Ok(text) => serde_json::from_slice(&text)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Kept::default(),
            Err(error) => return Err(error),
        };
        Ok(Self { directory, kept })
    }

    /// Its path.
    pub fn file(&self) -> PathBuf {
        self.directory.join(FILE)
    }

    /// Whether a file is trusted. `path` contains no links.
    pub fn trusts(&self, path: &Path, contents: &[u8]) -> bool {
        self.kept
            .files
            .get(path)
            .is_some_and(|kept| *kept == hash(contents))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.kept.files.is_empty()
    }

    /// The files, sorted, and whether each still has its trusted contents.
    pub fn files(&self) -> impl Iterator<Item = (&Path, bool)> {
        let is_same = |path: &Path, kept: &str| regular::read(path).is_ok_and(|now| hash(&now) == kept);
        let files = self.kept.files.iter();
        files.map(move |(path, kept)| (path.as_path(), is_same(path, kept)))
    }

    /// Trusts a file with exactly these contents. `path` contains no links.
    pub fn add(&mut self, path: &Path, contents: &[u8]) -> io::Result<()> {
        self.change(|kept| {
            kept.files.insert(path.to_owned(), hash(contents));
        })
    }

    /// Revokes trust in a file. Returns whether it was trusted with any contents.
    pub fn remove(&mut self, path: &Path) -> io::Result<bool> {
        let mut was = false;
        self.change(|kept| was = kept.files.remove(path).is_some())?;
        Ok(was)
    }

    /// Reads, changes and writes the store under a lock.
    fn change(&mut self, change: impl FnOnce(&mut Kept)) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        let lock = File::create(self.directory.join("trusted.lock"))?;
        lock.lock()?;
        self.kept = Self::open_in(self.directory.clone())?.kept;
        change(&mut self.kept);
        let new = self.directory.join("trusted.new");
        let mut file = File::create(&new)?;
        file.write_all(&serde_json::to_vec_pretty(&self.kept)?)?;
        file.sync_all()?;
        fs::rename(new, self.directory.join(FILE))
    }
}

/// The program's directory in the user's data directory. A given home directory contains it.
pub(crate) fn directory(home: Option<&Path>) -> Option<PathBuf> {
    let stated = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let data = match home {
        Some(home) => home.join(".local/share"),
        None => match stated.filter(|path| path.is_absolute()) {
            Some(data) => data,
            None => Place::home()?.path.join(".local/share"),
        },
    };
    Some(data.join(DIRECTORY))
}

fn hash(contents: &[u8]) -> String {
    let digest = Sha256::digest(contents);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_covers_a_path_and_its_contents() {
        let home = tempfile::tempdir().unwrap();
        let open = || Trust::open(Some(home.path())).unwrap();
        let (a, b) = (Path::new("/a"), Path::new("/b"));
        let mut trust = open();
        assert!(!trust.trusts(a, b"one"));
        trust.add(a, b"one").unwrap();
        // Another one, which began before.
        let mut other = open();
        trust.add(b, b"two").unwrap();
        other.remove(Path::new("/c")).unwrap();
        let trust = open();
        for (path, contents, trusted) in [
            (a, &b"one"[..], true),
            (a, b"two", false),
            (a, b"", false),
            (b, b"two", true),
            (b, b"one", false),
            (Path::new("/c"), b"one", false),
        ] {
            assert_eq!(trust.trusts(path, contents), trusted, "{path:?}");
        }
        assert!(other.remove(a).unwrap());
        assert!(!open().trusts(a, b"one"));
        assert!(!other.remove(a).unwrap());
    }

    #[test]
    fn a_broken_store_trusts_nothing() {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join(".local/share/callsheet");
        fs::create_dir_all(&directory).unwrap();
        for text in [
            "",
            "{}",
            "[]",
            r#"{"files": {"/a": 1}}"#,
            r#"{"files": {}, "all": true}"#,
        ] {
            fs::write(directory.join(FILE), text).unwrap();
            assert!(Trust::open(Some(home.path())).is_err(), "{text}");
        }
    }

    #[test]
    fn hashes_are_sha_256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hash(b""), empty);
    }
}
