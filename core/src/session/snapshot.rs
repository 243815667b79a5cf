//! A session as bytes, the definitions that it began with included.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::state::State;
use super::{Session, SessionError};
use crate::definition::Definition;
use crate::dialect::Dialects;

/// What the bytes begin with. The number changes whenever their meaning does.
const HEADER: &[u8] = b"callsheet session 3\n";

#[derive(Serialize, Deserialize)]
struct Snapshot {
    dialect: String,
    agents: Vec<Definition>,
    state: State,
}

impl Session {
    /// The whole state, for `restore`.
    pub fn snapshot(&self) -> Vec<u8> {
        let agents = self.agents.iter().map(|agent| {
            let mut agent = (**agent).clone();
            // Where everything stood in its file is no part of what it means.
            agent.fields = Vec::new();
            agent
        });
        let snapshot = Snapshot {
            dialect: self.dialect.id.clone(),
            agents: agents.collect(),
            state: self.state.clone(),
        };
        let mut bytes = HEADER.to_vec();
        // Plain data can always be written; if it could not, no one could restore it.
        bytes.extend(postcard::to_allocvec(&snapshot).unwrap_or_default());
        bytes
    }

    /// Goes on from a snapshot. Fails if the bytes are none of this version.
    pub fn restore(dialects: &Dialects, bytes: &[u8]) -> Result<Self, SessionError> {
        let rest = bytes.strip_prefix(HEADER).ok_or(SessionError::BadSnapshot)?;
        let read: Result<(Snapshot, &[u8]), _> = postcard::take_from_bytes(rest);
        let Ok((snapshot, [])) = read else {
            return Err(SessionError::BadSnapshot);
        };
        let dialect = dialects
            .get(&snapshot.dialect)
            .map_err(|_| SessionError::BadSnapshot)?;
        if !snapshot.state.is_sound(snapshot.agents.len()) {
            return Err(SessionError::BadSnapshot);
        }
        Ok(Self {
            dialect: Rc::clone(dialect),
            agents: snapshot.agents.into_iter().map(Rc::new).collect(),
            state: snapshot.state,
        })
    }
}
