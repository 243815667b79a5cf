//! A session on disk: a line that names the format, a line of JSON, and the component's snapshot.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use serde::{Deserialize, Serialize};

use crate::conversation::ToolRequest;

/// The first line.
const FORMAT: &str = "callsheet-session 1";

/// What the host knows of a session besides its snapshot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct About {
    /// Whose rules hold.
    pub dialect: String,
    /// The project's directory, absolute.
    pub project: PathBuf,
    /// Where answers of models come from, as the user said it.
    pub model: Option<String>,
    /// The deadline, by the session's clock.
    pub deadline: Option<u64>,
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
        let failed = |reason| SaveError {
            path: path.to_owned(),
            doing: "read",
            reason,
        };
        let bytes = fs::read(path).map_err(failed)?;
        let alien = || {
            failed(io::Error::other(
                "it is no session that this version has put away",
            ))
        };
        let mut lines = bytes.splitn(3, |byte| *byte == b'\n');
        let (Some(format), Some(header), Some(snapshot)) = (lines.next(), lines.next(), lines.next()) else {
            return Err(alien());
        };
        let header: Header = serde_json::from_slice(header).map_err(|_| alien())?;
        match format == FORMAT.as_bytes() {
            true => Ok(Self {
                about: header.about,
                now: header.now,
                left: header.left,
                snapshot: snapshot.to_vec(),
            }),
            false => Err(alien()),
        }
    }
}

/// Keeps a session in a file that is replaced as a whole, so that there is always one to go on from.
#[derive(Clone, Debug)]
pub struct Saver {
    /// The file.
    pub path: PathBuf,
    /// What is kept besides the session.
    pub about: About,
    /// Whether to keep every state of it, and not only the one when it is put away.
    pub always: bool,
}

impl Saver {
    pub(super) fn save(&self, now: u64, left: Left, snapshot: &[u8]) -> Result<(), SaveError> {
        let header = Header {
            about: self.about.clone(),
            now,
            left,
        };
        let header = serde_json::to_string(&header).expect("its keys are strings");
        let text = format!("{FORMAT}\n{header}\n");
        replace(&self.path, &[text.as_bytes(), snapshot]).map_err(|reason| SaveError {
            path: self.path.clone(),
            doing: "write",
            reason,
        })
    }
}

/// The conversation is nobody else's affair: only the user may read it.
fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // One that a process of the same number left behind is in nobody's way.
    let _ = fs::remove_file(&temporary);
    let mut file = options.open(&temporary)?;
    let written = parts.iter().try_for_each(|part| file.write_all(part));
    let replaced = written.and_then(|()| fs::rename(&temporary, path));
    if replaced.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    replaced
}

/// Why a session could not be kept or taken up.
#[derive(Debug)]
pub struct SaveError {
    path: PathBuf,
    doing: &'static str,
    reason: io::Error,
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
