//! Reads a session's status without its messages.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::about::{About, Saved};
use super::saved::{DAMAGED, Head, LONGEST_STAMP, Status, version};
use super::spent::Spent;
use super::{frame, older};
use crate::error::SaveError;

/// A session's entry in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Glance {
    /// The host's data.
    pub about: About,
    /// Its progress.
    pub status: Status,
    /// The usage of its agents. Earlier versions did not save it.
    pub spent: Spent,
}

impl Glance {
    /// Reads only the heads of the records, which are small for any session. Messages are not checked.
    pub fn at(path: &Path) -> Result<Self, SaveError> {
        let read = File::open(path).and_then(|mut file| Self::read(&mut file, path));
        read.map_err(|reason| SaveError::new(path, "read", reason))
    }

    fn read(file: &mut File, path: &Path) -> io::Result<Self> {
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let mut first = part(file, 0, LONGEST_STAMP)?;
        let end = first.iter().position(|byte| *byte == b'\n');
        let end = end.map_or(first.len(), |end| end + 1);
        first.truncate(end);
        let (version, _) =
            version(std::str::from_utf8(&first).unwrap_or_default()).map_err(io::Error::other)?;
        if version == older::VERSION {
            let saved = Saved::load(path).map_err(io::Error::other)?;
            let (about, status) = (saved.about, Status::default());
            return Ok(Self {
                about,
                status,
                spent: saved.spent,
            });
        }
        let (mut glance, mut at) = (None, end);
        while at < length {
            let line = part(file, at, frame::LINE)?;
            let Ok(frame) = frame::locate(&line, at, length) else {
                break;
            };
            let head = part(file, frame.head.start, frame.head.len())?;
            if !frame.has_head(&head) {
                break;
            }
            let head: Head = serde_json::from_slice(&head)?;
            let (before, mut spent) =
                glance.map_or_else(Default::default, |it: Self| (Some(it.about), it.spent));
            spent.extend(&head.spent);
            let status = head.status;
            glance = head.about.or(before).map(|about| Self { about, status, spent });
            at = frame.end;
        }
        // Damage further on is only reported when the whole file is read.
        glance.ok_or_else(|| io::Error::other(DAMAGED))
    }
}

fn part(file: &mut File, at: usize, length: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at as u64))?;
    let mut bytes = Vec::new();
    file.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
