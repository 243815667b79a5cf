//! Files of format 2, which were replaced as a whole: a first line with a checksum of the rest, a line of JSON, and the state.

use std::path::Path;

use serde::Deserialize;

use super::about::{About, Asked, Left, Saved, Stamp};
use super::spent::Spent;

pub(super) const VERSION: &str = "2";

#[derive(Deserialize)]
struct Header {
    about: About,
    now: u64,
    in_flight: Vec<Call>,
    #[serde(default)]
    asked: Vec<Asked>,
    #[serde(default)]
    refused: bool,
}

/// A call; the session has the rest of it.
#[derive(Deserialize)]
struct Call {
    id: u32,
}

/// `words` are those of the first line after the format.
pub(super) fn parse(words: &[&str], rest: &[u8], path: &Path) -> Result<Saved, String> {
    let stamp = |session: &str, owner: &str, checksum: &str| {
        let stamp = Stamp {
            session: session.to_owned(),
            owner: owner.parse().ok()?,
            mark: String::new(),
        };
        Some((stamp, u32::from_str_radix(checksum, 16).ok()?))
    };
    let read = match *words {
        [session, owner, checksum] => stamp(session, owner, checksum),
        _ => None,
    };
    let (stamp, checksum) = read.ok_or("the file is damaged: its first line cannot be read")?;
    if crc32fast::hash(rest) != checksum {
        return Err("the file is damaged: its checksum does not match".to_owned());
    }
    let mut parts = rest.splitn(2, |byte| *byte == b'\n');
    let header = parts.next().unwrap_or_default();
    let header: Header = serde_json::from_slice(header).map_err(|error| error.to_string())?;
    Ok(Saved {
        about: header.about,
        now: header.now,
        left: Left {
            in_flight: header.in_flight.iter().map(|call| call.id).collect(),
            asked: header.asked,
            doubted: Vec::new(),
            refused: header.refused,
        },
        spent: Spent::default(),
        is_cut: false,
        snapshot: parts.next().unwrap_or_default().to_vec(),
        known: 0,
        steps: Vec::new(),
        stamp,
        by: String::new(),
        path: path.to_owned(),
    })
}
