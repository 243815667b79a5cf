//! A session on disk: a line that names the format, the session, its owner and a checksum, a line of JSON, and the component's
//! snapshot.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{error, fmt};

use serde::{Deserialize, Serialize};

use super::claim::Claim;
use crate::conversation::ToolRequest;
use crate::delegation::Bounds;

/// What the first line begins with. The number changes whenever the meaning of a file does.
const FORMAT: &str = "callsheet-session ";
const VERSION: &str = "2";

/// More than a first line has.
const LONGEST_STAMP: u64 = 128;

/// What the host knows of a session besides its snapshot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct About {
    /// Whose rules hold.
    pub dialect: String,
    /// The project's directory, absolute.
    pub project: PathBuf,
    /// Where answers of models come from, as the user said it.
    pub model: Option<String>,
    /// What it may use up.
    pub limits: Limits,
}

/// The bounds of a session.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Limits {
    /// As in [`Bounds`].
    pub depth: u32,
    /// As in [`Bounds`].
    pub turns: u32,
    /// As in [`Bounds`].
    pub total_turns: u32,
    /// As in [`Bounds`].
    pub children: u32,
    /// As in [`Bounds`].
    pub parallel: u32,
    /// As in [`Bounds`].
    pub tokens: Option<u64>,
    /// As in [`Bounds`].
    pub cost: Option<u64>,
    /// As in [`Bounds`].
    pub deadline: Option<u64>,
    /// As in [`Bounds`].
    pub result_bytes: u32,
}

impl From<&Bounds> for Limits {
    fn from(bounds: &Bounds) -> Self {
        Self {
            depth: bounds.depth,
            turns: bounds.turns,
            total_turns: bounds.total_turns,
            children: bounds.children,
            parallel: bounds.parallel,
            tokens: bounds.tokens,
            cost: bounds.cost,
            deadline: bounds.deadline,
            result_bytes: bounds.result_bytes,
        }
    }
}

impl From<&Limits> for Bounds {
    fn from(limits: &Limits) -> Self {
        Self {
            depth: limits.depth,
            turns: limits.turns,
            total_turns: limits.total_turns,
            children: limits.children,
            parallel: limits.parallel,
            tokens: limits.tokens,
            cost: limits.cost,
            deadline: limits.deadline,
            result_bytes: limits.result_bytes,
        }
    }
}

/// A tool call under way.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct InFlight {
    /// The step.
    pub id: u32,
    /// The agent, the outermost first.
    pub agent: Vec<String>,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: String,
}

/// What the host had under way when a session was put away.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Left {
    /// Calls that must not be made again unseen.
    pub in_flight: Vec<InFlight>,
    /// Models that were asked, and are asked again.
    #[serde(default)]
    pub asked: Vec<Asked>,
    /// Calls that were answered with the doubt whether they took effect.
    #[serde(skip)]
    pub doubted: Vec<InFlight>,
    /// Whether a call was refused.
    #[serde(default)]
    pub refused: bool,
}

/// A model that was asked.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Asked {
    /// The step.
    pub id: u32,
    /// Whose part it is, as events have it.
    pub run: u32,
}

impl InFlight {
    pub(super) fn new(id: u32, request: &ToolRequest) -> Self {
        Self {
            id,
            agent: request.agent.clone(),
            tool: request.call.name.clone(),
            arguments: request.call.arguments.clone(),
        }
    }
}

/// A session as it was put away.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// What the host knows of it.
    pub about: About,
    /// What its clock said.
    pub now: u64,
    /// What was under way.
    pub left: Left,
    /// The snapshot.
    pub snapshot: Vec<u8>,
    stamp: Stamp,
}

/// Which session it is, and who wrote it: each process that goes on with it has a greater number.
#[derive(Clone, Debug, PartialEq)]
struct Stamp {
    session: String,
    owner: u64,
}

#[derive(Deserialize, Serialize)]
struct Header {
    about: About,
    now: u64,
    #[serde(flatten)]
    left: Left,
}

impl Saved {
    /// Reads a file that a [`Saver`] wrote.
    pub fn load(path: &Path) -> Result<Self, SaveError> {
        let failed = |reason| SaveError::new(path, "read", reason);
        let bytes = fs::read(path).map_err(failed)?;
        Self::parse(&bytes).map_err(|reason| failed(io::Error::other(reason)))
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
        let (first, rest) = (lines.next().unwrap_or_default(), lines.next());
        let first = std::str::from_utf8(first).unwrap_or_default();
        let (stamp, checksum) = stamp(first)?;
        let rest = rest.filter(|rest| crc32fast::hash(rest) == checksum);
        let rest = rest.ok_or("the file is damaged: its checksum does not match")?;
        let mut parts = rest.splitn(2, |byte| *byte == b'\n');
        let header = parts.next().unwrap_or_default();
        let header: Header = serde_json::from_slice(header).map_err(|error| error.to_string())?;
        Ok(Self {
            about: header.about,
            now: header.now,
            left: header.left,
            snapshot: parts.next().unwrap_or_default().to_vec(),
            stamp,
        })
    }
}

/// What the first line says, and the checksum of all that follows it.
fn stamp(line: &str) -> Result<(Stamp, u32), String> {
    let rest = line
        .strip_prefix(FORMAT)
        .ok_or("it is not a session of Callsheet")?;
    let words: Vec<&str> = rest.split(' ').collect();
    match *words {
        [VERSION, session, owner, checksum] => {
            let owner = owner.parse().ok();
            let read = owner.zip(u32::from_str_radix(checksum, 16).ok());
            let (owner, checksum) = read.ok_or("the file is damaged: its first line cannot be read")?;
            let session = session.to_owned();
            Ok((Stamp { session, owner }, checksum))
        }
        _ => Err(format!(
            "its format is {}, and this version of Callsheet reads format {VERSION} only: finish it with the version that wrote it",
            words.first().unwrap_or(&"")
        )),
    }
}

/// Keeps a session in a file that is replaced as a whole, so that there is always one to go on from. The file belongs to it until
/// it is dropped.
#[derive(Debug)]
pub struct Saver {
    /// What is kept besides the session.
    pub about: About,
    /// Whether to keep every state of it, and not only the one when it is put away.
    pub(super) always: bool,
    path: PathBuf,
    stamp: Stamp,
    /// The first line of the file as it was last read or written here; none if there was no file.
    last: Mutex<Option<String>>,
    _claim: Option<Claim>,
}

impl Saver {
    /// Keeps every state of a new session.
    ///
    /// Fails if there is such a file, or if another process is about to write it.
    pub fn create(path: &Path, about: About) -> Result<Self, SaveError> {
        let claim = Claim::take(path)?;
        if path.symlink_metadata().is_ok() {
            let reason = "there is a file already: resume it, or choose another name";
            return Err(SaveError::new(path, "begin", io::Error::other(reason)));
        }
        Ok(Self {
            always: true,
            _claim: Some(claim),
            ..Self::when_put_away(path, about)
        })
    }

    /// Keeps a new session only when it is put away.
    pub fn when_put_away(path: &Path, about: About) -> Self {
        let session = RandomState::new().build_hasher().finish();
        Self {
            about,
            always: false,
            path: path.to_owned(),
            stamp: Stamp {
                session: format!("{session:016x}"),
                owner: 1,
            },
            last: Mutex::default(),
            _claim: None,
        }
    }

    /// Reads a session to go on with it.
    ///
    /// Fails if another process does.
    pub fn resume(path: &Path) -> Result<(Saved, Self), SaveError> {
        let claim = Claim::take(path)?;
        let saved = Saved::load(path)?;
        let first = first_line(path).map_err(|reason| SaveError::new(path, "read", reason))?;
        let saver = Self {
            about: saved.about.clone(),
            always: true,
            path: path.to_owned(),
            stamp: Stamp {
                owner: saved.stamp.owner + 1,
                ..saved.stamp.clone()
            },
            last: Mutex::new(first),
            _claim: Some(claim),
        };
        Ok((saved, saver))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn save(&self, now: u64, left: Left, snapshot: &[u8]) -> Result<(), SaveError> {
        let header = Header {
            about: self.about.clone(),
            now,
            left,
        };
        let mut header = serde_json::to_string(&header).expect("its keys are strings");
        header.push('\n');
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(header.as_bytes());
        checksum.update(snapshot);
        let (Stamp { session, owner }, checksum) = (&self.stamp, checksum.finalize());
        let first = format!("{FORMAT}{VERSION} {session} {owner} {checksum:08x}\n");
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let written = self
            .is_ours(last.as_deref())
            .and_then(|()| replace(&self.path, &[first.as_bytes(), header.as_bytes(), snapshot]));
        written.map_err(|reason| SaveError::new(&self.path, "write", reason))?;
        *last = Some(first);
        Ok(())
    }

    /// A lock may be lost on a file system of a network: what another process wrote meanwhile is not overwritten.
    fn is_ours(&self, last: Option<&str>) -> io::Result<()> {
        let there = first_line(&self.path)?;
        if there.is_none() || there.as_deref() == last {
            return Ok(());
        }
        let is_same = there
            .and_then(|line| stamp(line.trim_end()).ok())
            .is_some_and(|(there, _)| there.session == self.stamp.session);
        Err(io::Error::other(if is_same {
            "another process has resumed the session"
        } else {
            "another session is in the file"
        }))
    }
}

/// The first line of a file; none if there is no file.
fn first_line(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    let mut line = Vec::new();
    io::BufReader::new(io::Read::take(file, LONGEST_STAMP)).read_until(b'\n', &mut line)?;
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// What is written before it takes the place of the file.
pub(super) fn partial(path: &Path) -> PathBuf {
    beside(path, ".partial")
}

pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Only the user may read a conversation. Once this returns, the file is there after a power failure, too.
fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let temporary = partial(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // One that was left behind belongs to nobody: the file is ours.
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
    replaced
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Elsewhere a folder cannot be opened.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Why a session could not be kept or taken up.
#[derive(Debug)]
pub struct SaveError {
    path: PathBuf,
    doing: &'static str,
    reason: io::Error,
}

impl SaveError {
    pub(super) fn new(path: &Path, doing: &'static str, reason: io::Error) -> Self {
        Self {
            path: path.to_owned(),
            doing,
            reason,
        }
    }
}

impl fmt::Display for SaveError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, doing, reason } = self;
        write!(to, "cannot {doing} the session {}: {reason}", path.display())
    }
}

impl error::Error for SaveError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.reason)
    }
}
