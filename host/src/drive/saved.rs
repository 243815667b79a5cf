//! The file of a session: a line with the format, the session and its owner, and records (`frame.rs`). The first record is the whole
//! state, the others the replies since. The state machine is deterministic, so the same replies lead to the same state.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::about::{About, Left, Saved, Stamp, Step};
use super::frame::{self, Broken, Frame};
use super::older;
use super::spent::Spent;
use crate::delegation::{Ending, Outcome, Usage};
use crate::error::SaveError;
use crate::{Catalog, Result, Session, regular};

/// The start of the first line. The number changes with the format.
pub(super) const FORMAT: &str = "callsheet-session ";
pub(super) const VERSION: &str = "3";

/// More than any first line has.
pub(super) const LONGEST_STAMP: usize = 128;

/// The head of each record.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Head {
    pub(super) now: u64,
    #[serde(flatten)]
    pub(super) left: Left,
    /// The number of the next step: a replay must reach the same.
    pub(super) known: u32,
    pub(super) status: Status,
    /// The usage of each agent, since the record before if there is one.
    #[serde(default, skip_serializing_if = "Spent::is_empty")]
    pub(super) spent: Spent,
    /// In the first record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) about: Option<About>,
    /// In the first record: the version of Callsheet that wrote it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) by: String,
}

/// The progress of a session.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Status {
    /// How it stopped; none if it was interrupted or is running.
    pub stopped: Option<Stopped>,
    /// Requests to models.
    pub turns: u32,
    /// Tokens read and written.
    pub tokens: u64,
    /// Cost, in millionths of the host's currency.
    pub cost: u64,
}

/// How a session stopped.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// With an answer.
    Answer,
    /// At a limit.
    Bound,
    /// Without an answer.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl Status {
    pub(super) fn of(outcome: Option<&Outcome>, usage: &Usage) -> Self {
        let stopped = outcome.map(|outcome| match &outcome.ending {
            Ending::Answer => Stopped::Answer,
            Ending::Bound(_) => Stopped::Bound,
            Ending::Failed => Stopped::Failed,
            Ending::Cancelled => Stopped::Cancelled,
        });
        Self {
            stopped,
            turns: usage.turns,
            tokens: usage.input_tokens.saturating_add(usage.output_tokens),
            cost: usage.cost,
        }
    }
}

impl Saved {
    /// Reads a file that a [`Saver`](super::Saver) wrote.
    pub fn load(path: &Path) -> std::result::Result<Self, SaveError> {
        let failed = |reason| SaveError::new(path, "read", reason);
        let bytes = regular::whole(path).map_err(failed)?;
        Self::parse(&bytes, path).map_err(|reason| failed(io::Error::other(reason)))
    }

    /// The session's ID.
    pub fn id(&self) -> &str {
        &self.stamp.session
    }

    /// The session, restored. Its replies are dropped here.
    ///
    /// Fails with [`crate::Error::Session`] if the state is of another version, and with [`crate::Error::Save`] if this version computes
    /// another state than the one that wrote the file.
    pub fn restore(&mut self, catalog: &mut Catalog) -> Result<Session> {
        let mut session = catalog.restore(&std::mem::take(&mut self.snapshot))?;
        let mut known = self.known;
        for step in std::mem::take(&mut self.steps) {
            for input in step.inputs {
                let (id, at) = (input.id, input.at);
                let replied = session.reply(id, &input.reply(), at);
                replied.map_err(|_| self.differs())?;
            }
            let steps = session.poll_brief(step.now, known)?;
            known = steps.last().map_or(known, |step| step.id + 1);
            if known != step.known {
                return Err(self.differs().into());
            }
        }
        // These events were reported before.
        session.events()?;
        Ok(session)
    }

    fn differs(&self) -> SaveError {
        let reason = format!(
            "this version of Callsheet decides differently: resume it with version {}, which wrote it",
            self.by
        );
        SaveError::new(&self.path, "resume", io::Error::other(reason))
    }

    fn parse(bytes: &[u8], path: &Path) -> std::result::Result<Self, String> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (first, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        let first = std::str::from_utf8(first).unwrap_or_default();
        let (version, words) = version(first)?;
        if version == older::VERSION {
            return older::parse(&words, rest, path);
        }
        let stamp = stamp(&words)?;
        let whole = frame::read(bytes, first.len()).map_err(|_| DAMAGED)?;
        let head = head(bytes, &whole)?;
        let about = head.about.ok_or(DAMAGED)?;
        let mut saved = Self {
            about,
            now: head.now,
            left: head.left,
            spent: head.spent,
            is_cut: false,
            snapshot: bytes[whole.body.clone()].to_vec(),
            known: head.known,
            steps: Vec::new(),
            stamp,
            by: head.by,
            path: path.to_owned(),
        };
        saved.read_steps(bytes, whole.end)?;
        Ok(saved)
    }

    fn read_steps(&mut self, bytes: &[u8], mut at: usize) -> std::result::Result<(), String> {
        while at < bytes.len() {
            let frame = match frame::read(bytes, at) {
                Ok(frame) => frame,
                Err(Broken::Torn) => {
                    self.is_cut = true;
                    break;
                }
                Err(Broken::Damaged) => return Err(DAMAGED.to_owned()),
            };
            let head = head(bytes, &frame)?;
            let inputs = serde_json::from_slice(&bytes[frame.body]).map_err(|_| DAMAGED)?;
            (self.now, self.left) = (head.now, head.left);
            self.spent.extend(&head.spent);
            self.steps.push(Step {
                now: head.now,
                known: head.known,
                inputs,
            });
            at = frame.end;
        }
        Ok(())
    }
}

pub(super) const DAMAGED: &str = "the file is damaged: a checksum does not match";

fn head(bytes: &[u8], frame: &Frame) -> std::result::Result<Head, String> {
    serde_json::from_slice(&bytes[frame.head.clone()]).map_err(|error| error.to_string())
}

/// The format of a file, and the other words of its first line.
pub(super) fn version(line: &str) -> std::result::Result<(&str, Vec<&str>), String> {
    let rest = line.strip_prefix(FORMAT).ok_or("it is not a Callsheet session")?;
    let mut words = rest.trim_end_matches('\n').split(' ');
    let version = words.next().unwrap_or_default();
    if version != VERSION && version != older::VERSION {
        return Err(format!(
            "its format is {version}, and this version of Callsheet reads formats {} and {VERSION} only: resume it with the \
             version that wrote it",
            older::VERSION
        ));
    }
    Ok((version, words.collect()))
}

fn stamp(words: &[&str]) -> std::result::Result<Stamp, String> {
    let read = match *words {
        [session, owner, mark] => owner.parse().ok().map(|owner| Stamp {
            session: session.to_owned(),
            owner,
            mark: mark.to_owned(),
        }),
        _ => None,
    };
    read.ok_or_else(|| "the file is damaged: its first line cannot be read".to_owned())
}

/// The session named in the first line of a file.
pub(super) fn session_of(line: &str) -> Option<String> {
    let (_, words) = version(line).ok()?;
    words.first().map(|session| (*session).to_owned())
}
