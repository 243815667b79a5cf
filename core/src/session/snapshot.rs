//! A session as bytes, including the definitions it started with.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::state::State;
use super::{Session, SessionError};
use crate::definition::Definition;
use crate::dialect::{Canonical, Dialects};
use crate::skills::Skill;

/// The header of the bytes. The number changes with the format.
const HEADER: &[u8] = b"callsheet session 3\n";

/// The header of a session with skills, which follow the rest.
const WITH_SKILLS: &[u8] = b"callsheet session 4\n";

/// An upper limit of a message's size besides its text and its calls' arguments.
const MESSAGE: usize = 128;

#[derive(Serialize)]
struct Borrowed<'a> {
    dialect: &'a str,
    agents: Vec<Definition>,
    state: &'a State,
}

/// The same for reading.
#[derive(Deserialize)]
struct Snapshot {
    dialect: String,
    agents: Vec<Definition>,
    state: State,
}

/// The only field of agents in a snapshot: a restored session must refuse the same agents.
const KEPT: Canonical = Canonical::Isolation;

impl Session {
    /// The whole state, for `restore`.
    pub fn snapshot(&self) -> Vec<u8> {
        let agents = self.agents.iter().map(|agent| {
            let mut agent = (**agent).clone();
            // Places in files are not part of the meaning.
            agent.fields.retain(|field| field.canonical == Some(KEPT));
            // Numbers of fields differ between versions.
            agent.fields.iter_mut().for_each(|field| field.canonical = None);
            agent
        });
        let snapshot = Borrowed {
            dialect: &self.dialect.id,
            agents: agents.collect(),
            state: &self.state,
        };
        // A component's memory never shrinks, so a long conversation must not be copied while the bytes grow.
        let mut bytes = Vec::with_capacity(self.bytes_of_messages());
        let has_skills = !self.state.skills.is_empty();
        bytes.extend_from_slice(if has_skills { WITH_SKILLS } else { HEADER });
        // Plain data can always be written.
        let bytes = postcard::to_extend(&snapshot, bytes).unwrap_or_default();
        if !has_skills {
            return bytes;
        }
        postcard::to_extend(&self.state.skills, bytes).unwrap_or_default()
    }

    fn bytes_of_messages(&self) -> usize {
        let messages = self.state.runs.iter().flatten().flat_map(|run| &run.messages);
        let texts = messages.map(|message| &message.text);
        let texts = texts.chain(self.state.skills.iter().map(|skill| &skill.text));
        texts.map(|text| text.len() + MESSAGE).sum()
    }

    /// Restores a session from a snapshot. Fails if the bytes are not of this version.
    pub fn restore(dialects: &Dialects, bytes: &[u8]) -> Result<Self, SessionError> {
        let with_skills = bytes.strip_prefix(WITH_SKILLS);
        let rest = with_skills.or_else(|| bytes.strip_prefix(HEADER));
        let rest = rest.ok_or(SessionError::BadSnapshot)?;
        let read: Result<(Snapshot, &[u8]), _> = postcard::take_from_bytes(rest);
        let Ok((mut snapshot, rest)) = read else {
            return Err(SessionError::BadSnapshot);
        };
        snapshot.state.skills = skills(with_skills.is_some(), rest)?;
        let dialect = dialects
            .get(&snapshot.dialect)
            .map_err(|_| SessionError::BadSnapshot)?;
        if !snapshot.state.is_sound(snapshot.agents.len()) {
            return Err(SessionError::BadSnapshot);
        }
        let agents = snapshot.agents.into_iter().map(|mut agent| {
            agent
                .fields
                .iter_mut()
                .for_each(|field| field.canonical = Some(KEPT));
            Rc::new(agent)
        });
        Ok(Self {
            dialect: Rc::clone(dialect),
            agents: agents.collect(),
            state: snapshot.state,
        })
    }
}

/// The skills at the end of a snapshot that has some.
fn skills(has_skills: bool, bytes: &[u8]) -> Result<Vec<Skill>, SessionError> {
    match postcard::take_from_bytes(bytes) {
        _ if !has_skills && bytes.is_empty() => Ok(Vec::new()),
        Ok((skills, [])) if has_skills => Ok(skills),
        _ => Err(SessionError::BadSnapshot),
    }
}
