//! Sessions, on the core and on the component, by the same words.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use callsheet::Callsheet;
use callsheet::conversation::ToolSpec;
use callsheet::delegation::{Event, Outcome, Outstanding, Reply, SessionError, Settings, Task, Usage};
use callsheet_core::session;

use crate::invariants::with_dialects;
use crate::{conversation, sessions};

/// A session, whatever it runs on.
pub trait Machine: Sized {
    /// Everything outstanding whose name is `from` or greater.
    fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding>;
    /// Answers one step.
    fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError>;
    /// Ends it.
    fn cancel(&mut self);
    /// What happened since this was last asked.
    fn events(&mut self) -> Vec<Event>;
    /// How it ended.
    fn outcome(&mut self) -> Option<Outcome>;
    /// What it used up.
    fn usage(&mut self) -> Usage;
    /// Its state.
    fn snapshot(&mut self) -> Vec<u8>;
    /// Another one from a snapshot, beside this one.
    fn restore(&mut self, snapshot: &[u8]) -> Result<Self, SessionError>;
}

/// On the core. Its answers go through the component's own conversion.
pub struct Native(pub session::Session);

impl Native {
    /// A session over a catalog.
    pub fn open(
        catalog: &mut callsheet_core::catalog::Catalog,
        task: Task,
        specs: Vec<ToolSpec>,
        settings: Settings,
    ) -> Result<Self, SessionError> {
        let (task, settings) = (sessions::task(task), sessions::settings(settings));
        let opened = session::Session::open(catalog, &task, conversation::specs(specs), settings);
        opened.map(Self).map_err(sessions::error)
    }
}

impl Machine for Native {
    fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        let steps = self.0.poll(now, from);
        steps.into_iter().map(sessions::outstanding).collect()
    }

    fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError> {
        let replied = self.0.reply(id, sessions::reply(reply), now);
        replied.map_err(sessions::error)
    }

    fn cancel(&mut self) {
        self.0.cancel();
    }

    fn events(&mut self) -> Vec<Event> {
        self.0.events().into_iter().map(sessions::event).collect()
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.0.outcome().cloned().map(sessions::outcome)
    }

    fn usage(&mut self) -> Usage {
        sessions::usage(self.0.usage())
    }

    fn snapshot(&mut self) -> Vec<u8> {
        self.0.snapshot()
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<Self, SessionError> {
        let restored = with_dialects(|dialects| session::Session::restore(dialects, snapshot));
        restored.map(Self).map_err(sessions::error)
    }
}

/// On the component.
pub struct Component {
    /// The session.
    pub session: callsheet::Session,
    catalog: std::sync::Arc<std::sync::Mutex<callsheet::Catalog>>,
}

impl Component {
    /// A session over agents in files: their paths within the project, and their texts.
    pub fn open(
        dialect: &str,
        files: &[(String, String)],
        task: &Task,
        specs: &[ToolSpec],
        settings: &Settings,
    ) -> Result<Self, SessionError> {
        let folder = Folder::with(files);
        let project = folder.0.to_string_lossy().into_owned();
        let callsheet = Callsheet::builder().project(project).without_home().build();
        let callsheet = callsheet.expect("the folder is there");
        let mut catalog = callsheet.open(dialect).expect("the dialect is known");
        let session = catalog.session(task, specs, settings).map_err(refused)?;
        Ok(Self {
            session,
            catalog: std::sync::Arc::new(std::sync::Mutex::new(catalog)),
        })
    }
}

/// A trap is never an answer.
fn refused(error: callsheet::Error) -> SessionError {
    match error {
        callsheet::Error::Session(error) => error,
        other => panic!("{other}"),
    }
}

fn answered<T>(answer: callsheet::Result<T>) -> T {
    answer.unwrap_or_else(|error| panic!("{error}"))
}

impl Machine for Component {
    fn poll(&mut self, now: u64, from: u32) -> Vec<Outstanding> {
        answered(self.session.poll(now, from))
    }

    fn reply(&mut self, id: u32, reply: Reply, now: u64) -> Result<(), SessionError> {
        self.session.reply(id, &reply, now).map_err(refused)
    }

    fn cancel(&mut self) {
        answered(self.session.cancel());
    }

    fn events(&mut self) -> Vec<Event> {
        answered(self.session.events())
    }

    fn outcome(&mut self) -> Option<Outcome> {
        answered(self.session.outcome())
    }

    fn usage(&mut self) -> Usage {
        answered(self.session.usage())
    }

    fn snapshot(&mut self) -> Vec<u8> {
        answered(self.session.snapshot())
    }

    fn restore(&mut self, snapshot: &[u8]) -> Result<Self, SessionError> {
        let restored = self.catalog.lock().expect("nobody panicked").restore(snapshot);
        Ok(Self {
            session: restored.map_err(refused)?,
            catalog: self.catalog.clone(),
        })
    }
}

/// A project that is removed again.
struct Folder(PathBuf);

impl Folder {
    fn with(files: &[(String, String)]) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("callsheet-machine-{}-{number}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("the folder is ours");
            fs::write(path, text).expect("the folder is ours");
        }
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Sessions keep the definitions that they began with.
        let _ = fs::remove_dir_all(&self.0);
    }
}
