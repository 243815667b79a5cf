//! A session as bytes, including the definitions it started with.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::settings::Isolation;
use super::state::State;
use super::{Session, SessionError};
use crate::definition::Definition;
use crate::dialect::{Canonical, Dialects};

/// The first lines of the bytes, which change with the format: of a session, of one with skills, which follow the rest, of one with
/// isolated agents, where the host's support of isolation follows, of one that tells agents where they work, of one with agents in the
/// background, and of one whose conversations may become too long.
const HEADERS: [&[u8]; 6] = [
    b"callsheet session 3\n",
    b"callsheet session 4\n",
    b"callsheet session 5\n",
    b"callsheet session 6\n",
    b"callsheet session 7\n",
    b"callsheet session 8\n",
];

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

/// The fields of agents in a snapshot: a restored session must refuse the same agents, and tell the same.
const KEPT: [Canonical; 5] = [
    Canonical::Isolation,
    Canonical::Background,
    Canonical::Memory,
    Canonical::OmitContextFiles,
    Canonical::IncludeInstructions,
];

impl Session {
    /// The whole state, for `restore`.
    pub fn snapshot(&self) -> Vec<u8> {
        // Versions without a context know the first fields only.
        let known = if self.state.context.is_told() {
            &KEPT[..]
        } else {
            &KEPT[..3]
        };
        let agents = self.agents.iter().map(|agent| {
            let mut agent = (**agent).clone();
            // Places in files are not part of the meaning.
            agent
                .fields
                .retain(|field| field.canonical.is_some_and(|kept| known.contains(&kept)));
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
        let (skills, isolation) = (&self.state.skills, &self.state.settings.isolation);
        let (context, background) = (&self.state.context, &self.state.background);
        let context_limit = self.state.settings.bounds.context;
        let parts = if context_limit.is_some() || !self.state.sizes.is_empty() {
            5
        } else if !background.is_empty() {
            4
        } else if context.is_told() {
            3
        } else if *isolation != Isolation::default() {
            2
        } else {
            usize::from(!skills.is_empty())
        };
        bytes.extend_from_slice(HEADERS[parts]);
        // Plain data can always be written.
        let mut bytes = postcard::to_extend(&snapshot, bytes).unwrap_or_default();
        if parts > 0 {
            bytes = postcard::to_extend(skills, bytes).unwrap_or_default();
        }
        if parts > 1 {
            bytes = postcard::to_extend(isolation, bytes).unwrap_or_default();
        }
        if parts > 2 {
            bytes = postcard::to_extend(context, bytes).unwrap_or_default();
        }
        if parts > 3 {
            bytes = postcard::to_extend(background, bytes).unwrap_or_default();
        }
        if parts > 4 {
            let room = (context_limit, &self.state.sizes);
            bytes = postcard::to_extend(&room, bytes).unwrap_or_default();
        }
        bytes
    }

    fn bytes_of_messages(&self) -> usize {
        let messages = self.state.runs.iter().flatten().flat_map(|run| &run.messages);
        let texts = messages.map(|message| &message.text);
        let texts = texts.chain(self.state.skills.iter().map(|skill| &skill.text));
        texts.map(|text| text.len() + MESSAGE).sum()
    }

    /// Restores a session from a snapshot. Fails if the bytes are not of this version.
    pub fn restore(dialects: &Dialects, bytes: &[u8]) -> Result<Self, SessionError> {
        let mut headers = HEADERS.iter().zip(0_u8..);
        let found = headers.find_map(|(header, parts)| Some((bytes.strip_prefix(*header)?, parts)));
        let (rest, parts) = found.ok_or(SessionError::BadSnapshot)?;
        let (mut snapshot, mut rest): (Snapshot, _) = take(rest)?;
        if parts > 0 {
            (snapshot.state.skills, rest) = take(rest)?;
        }
        if parts > 1 {
            (snapshot.state.settings.isolation, rest) = take(rest)?;
        }
        if parts > 2 {
            (snapshot.state.context, rest) = take(rest)?;
        }
        if parts > 3 {
            (snapshot.state.background, rest) = take(rest)?;
        }
        if parts > 4 {
            let state = &mut snapshot.state;
            ((state.settings.bounds.context, state.sizes), rest) = take(rest)?;
        }
        if !rest.is_empty() {
            return Err(SessionError::BadSnapshot);
        }
        let dialect = dialects
            .get(&snapshot.dialect)
            .map_err(|_| SessionError::BadSnapshot)?;
        if !snapshot.state.is_sound(snapshot.agents.len()) {
            return Err(SessionError::BadSnapshot);
        }
        let agents = snapshot.agents.into_iter().map(|mut agent| {
            for field in &mut agent.fields {
                field.canonical = dialect.key(&field.key).map(|key| key.field);
            }
            Rc::new(agent)
        });
        Ok(Self {
            dialect: Rc::clone(dialect),
            agents: agents.collect(),
            state: snapshot.state,
        })
    }
}

/// The next part of a snapshot, and the rest.
fn take<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<(T, &'a [u8]), SessionError> {
    postcard::take_from_bytes(bytes).map_err(|_| SessionError::BadSnapshot)
}
