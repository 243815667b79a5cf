//! Saves a session to a file: replies are appended, and now and then the whole state replaces them.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::about::{About, Left, Saved, Stamp};
use super::claim::{Claim, partial};
use super::frame;
use super::input::Input;
use super::saved::{FORMAT, Head, LONGEST_STAMP, Status, VERSION, session_of};
use super::spent::Spent;
use crate::Result;
use crate::error::SaveError;

/// The whole state is rewritten when this many times its bytes were appended. All whole states together are then half as much again as
/// the appended bytes, so about 2.5 bytes are written for each, at most 3.
const GROWTH: u64 = 2;

/// The minimum for a rewrite.
const LEAST: u64 = 1 << 20;

/// Saves a session to a file that can always be resumed. The file belongs to it until it is dropped.
#[derive(Debug)]
pub struct Saver {
    /// The data saved besides the session.
    pub about: About,
    /// Whether to save every state, not only the one at the end.
    pub(super) always: bool,
    path: PathBuf,
    stamp: Stamp,
    written: Mutex<Written>,
    _claim: Option<Claim>,
}

/// The file as last read or written here.
#[derive(Debug, Default)]
struct Written {
    /// Its first line; none if there was no file.
    first: Option<String>,
    /// None until the whole state is written, and after a failure.
    file: Option<File>,
    /// Bytes of the whole state, and of what was appended to it.
    whole: u64,
    appended: u64,
}

/// The changes since the last save.
pub(super) struct News<'a> {
    pub(super) now: u64,
    pub(super) left: Left,
    pub(super) known: u32,
    pub(super) status: Status,
    pub(super) inputs: Vec<Input>,
    pub(super) spent: Spent,
    pub(super) spent_in_all: &'a Spent,
}

impl Saver {
    /// Saves every state of a new session.
    ///
    /// Fails if the file exists, or if another process is about to write it.
    pub fn create(path: &Path, about: About) -> std::result::Result<Self, SaveError> {
        let claim = Claim::take(path)?;
        if path.symlink_metadata().is_ok() {
            let reason = "the file already exists: resume it, or choose another name";
            return Err(SaveError::new(path, "begin", io::Error::other(reason)));
        }
        Ok(Self {
            always: true,
            _claim: Some(claim),
            ..Self::when_put_away(path, about)
        })
    }

    /// Saves every state of a new session to a file of this directory, named by its ID.
    pub(super) fn create_in(
        directory: &Path,
        ending: &str,
        about: About,
    ) -> std::result::Result<Self, SaveError> {
        let mut saver = Self::when_put_away(directory, about);
        saver.path = directory.join(format!("{}.{ending}", saver.stamp.session));
        saver.always = true;
        saver._claim = Some(Claim::take(&saver.path)?);
        Ok(saver)
    }

    /// Whether it saves every state, and not only the one at the end.
    pub fn saves_every_state(&self) -> bool {
        self.always
    }

    /// Saves a new session only at its end.
    pub fn when_put_away(path: &Path, about: About) -> Self {
        Self {
            about,
            always: false,
            path: path.to_owned(),
            stamp: Stamp {
                session: random(),
                owner: 1,
                mark: random(),
            },
            written: Mutex::default(),
            _claim: None,
        }
    }

    /// Reads a session to resume it.
    ///
    /// Fails if another process uses it.
    pub fn resume(path: &Path) -> std::result::Result<(Saved, Self), SaveError> {
        let claim = Claim::take(path)?;
        let saved = Saved::load(path)?;
        let first = first_line(path).map_err(|reason| SaveError::new(path, "read", reason))?;
        let saver = Self {
            about: saved.about.clone(),
            always: true,
            path: path.to_owned(),
            stamp: Stamp {
                session: saved.stamp.session.clone(),
                owner: saved.stamp.owner + 1,
                mark: random(),
            },
            written: Mutex::new(Written {
                first,
                ..Written::default()
            }),
            _claim: Some(claim),
        };
        Ok((saved, saver))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The session's ID.
    pub fn id(&self) -> &str {
        &self.stamp.session
    }

    /// Whether the file is named by the session's ID.
    pub fn is_named(&self) -> bool {
        self.always
            && self
                .path
                .file_stem()
                .is_some_and(|name| *name == *self.stamp.session)
    }

    /// Writes the changes, or the whole state if that is due. The write is durable once this returns.
    pub(super) fn save(&self, news: News<'_>, whole: impl FnOnce() -> Result<Vec<u8>>) -> Result<()> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |reason| SaveError::new(&self.path, "write", reason);
        self.is_ours(written.first.as_deref()).map_err(failed)?;
        let mut head = Head {
            now: news.now,
            left: news.left,
            known: news.known,
            status: news.status,
            spent: news.spent,
            about: None,
            by: String::new(),
        };
        if written.file.is_some() {
            let body = serde_json::to_vec(&news.inputs).expect("its keys are strings");
            let record = frame::encode(&json(&head), &body);
            if written.takes(record.len() as u64) {
                return Ok(written.append(&record).map_err(failed)?);
            }
        }
        head.about = Some(self.about.clone());
        head.spent = news.spent_in_all.clone();
        head.by = env!("CARGO_PKG_VERSION").to_owned();
        let record = frame::encode(&json(&head), &whole()?);
        *written = self.replace(&record).map_err(failed)?;
        Ok(())
    }

    fn replace(&self, record: &[u8]) -> io::Result<Written> {
        let Stamp { session, owner, mark } = &self.stamp;
        let first = format!("{FORMAT}{VERSION} {session} {owner} {mark}\n");
        let file = replace(&self.path, &[first.as_bytes(), record])?;
        Ok(Written {
            whole: (first.len() + record.len()) as u64,
            appended: 0,
            first: Some(first),
            file: Some(file),
        })
    }

    /// A lock may be lost on a network file system: another process's writes are not overwritten.
    fn is_ours(&self, last: Option<&str>) -> io::Result<()> {
        let there = first_line(&self.path)?;
        if there.is_none() || there.as_deref() == last {
            return Ok(());
        }
        let is_same = there.and_then(|line| session_of(&line)) == Some(self.stamp.session.clone());
        Err(io::Error::other(if is_same {
            "another process has resumed the session"
        } else {
            "another session is in the file"
        }))
    }
}

impl Written {
    fn takes(&self, bytes: u64) -> bool {
        self.appended + bytes <= self.whole.max(LEAST) * GROWTH
    }

    /// A file replaced in the meantime is another one: this one is open here.
    fn append(&mut self, record: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let appended = file.write_all(record).and_then(|()| file.sync_data());
        match &appended {
            Ok(()) => self.appended += record.len() as u64,
            // The incomplete write is cut off, and the whole state is written next.
            Err(_) => {
                let _ = file.set_len(self.whole + self.appended);
                self.file = None;
            }
        }
        appended
    }
}

fn json(head: &Head) -> Vec<u8> {
    serde_json::to_vec(head).expect("its keys are strings")
}

/// Unique by chance.
fn random() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// The first line of a file; none if there is no file.
fn first_line(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut line = Vec::new();
    file.take(LONGEST_STAMP as u64).read_to_end(&mut line)?;
    let end = line.iter().position(|byte| *byte == b'\n');
    line.truncate(end.map_or(line.len(), |end| end + 1));
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// Only the user may read a conversation. The write is durable once this returns.
fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<File> {
    let temporary = partial(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // A leftover file can be replaced, since we hold the lock.
    let _ = fs::remove_file(&temporary);
    let mut file = options.open(&temporary)?;
    let written = parts.iter().try_for_each(|part| file.write_all(part));
    let replaced = written
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, path))
        .and_then(|()| sync_folder(path));
    if replaced.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    replaced.map(|()| file)
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// On other systems a folder cannot be opened.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
