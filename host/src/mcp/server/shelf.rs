//! The saved sessions of a server, for messages after an answer.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::drive::{About, NotFound, Saved, Saver, Sessions, title};

pub(super) struct Shelf {
    sessions: Sessions,
    /// What all of them have.
    about: About,
    /// Those that were begun here: others may have been given more permissions.
    begun: Mutex<BTreeSet<String>>,
}

impl Shelf {
    pub(super) fn new(sessions: Sessions, about: About) -> Self {
        Self {
            sessions,
            about,
            begun: Mutex::default(),
        }
    }

    /// Saves a new session. Without a place for it, it runs unsaved.
    pub(super) fn begin(&self, agent: &str, task: &str) -> Option<Saver> {
        let about = About {
            agent: agent.to_owned(),
            task: title(task),
            ..self.about.clone()
        };
        let saver = self.sessions.create(about).ok()?;
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.insert(saver.id().to_owned());
        Some(saver)
    }

    /// A session that was begun here. Fails with the reason if there is none, or if it is at work.
    pub(super) fn again(&self, id: &str) -> Result<(Saved, Saver), String> {
        let begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let is_begun = begun.contains(id);
        drop(begun);
        let path = self.sessions.find(id).map_err(|error| error.to_string())?;
        let path = path.and_then(|path| {
            if is_begun {
                Ok(path)
            } else {
                Err(NotFound::Unknown)
            }
        });
        let path =
            path.map_err(|_| "unknown session; use the ID at the end of an agent's result".to_owned())?;
        Saver::resume(&path).map_err(|error| error.to_string())
    }
}
