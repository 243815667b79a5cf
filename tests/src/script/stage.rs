//! What plays a script: the case's files, a catalog over them, the models and the tools.

use std::path::PathBuf;
use std::sync::Arc;

use callsheet::delegation::{Reply, SessionError, Step};
use callsheet::tools::{Asking, LocalTools, Options, Unattended};
use callsheet::{Models, Tools};
use tempfile::TempDir;

use super::play::{Played, play, reply};
use super::{Account, Cast, Script};
use crate::backend::{Backend, Catalog, Machine, Refusal, Runtime};
use crate::case::Case;
use crate::commands::Settings;

/// A stage. Its files are removed with it.
pub struct Stage {
    /// The script.
    pub script: Script,
    /// The dialect of the agents.
    pub catalog: Box<dyn Catalog>,
    /// The models.
    pub models: Arc<dyn Models>,
    /// The tools.
    pub tools: Arc<dyn Tools>,
    project: PathBuf,
    _files: TempDir,
}

impl Stage {
    /// Sets a case up.
    pub fn set(case: &Case, backend: Backend) -> Result<Self, String> {
        let script = case.script.clone().ok_or("there is no script")?;
        let files = tempfile::tempdir().map_err(|error| error.to_string())?;
        // The temporary folder may itself be a link.
        let tree = files.path().canonicalize().map_err(|error| error.to_string())?;
        case.lay_out(&tree)
            .map_err(|error| format!("cannot lay out the case: {error}"))?;
        let project = tree.join("project");
        let settings = Settings {
            home: tree.join("home").to_string_lossy().into_owned(),
            ..Settings::of_project(&project.to_string_lossy())
        };
        let mut runtime = backend.open(&settings).map_err(words)?;
        let cast = Arc::new(Cast(script.clone()));
        let tools: Arc<dyn Tools> = match &script.tools {
            Some(_) => Arc::clone(&cast) as Arc<dyn Tools>,
            None => host_tools(&mut *runtime, &script.dialect, &project)?,
        };
        Ok(Self {
            catalog: runtime.open(&script.dialect).map_err(words)?,
            models: cast,
            tools,
            script,
            project,
            _files: files,
        })
    }

    /// A new session.
    pub fn open(&mut self) -> Result<Box<dyn Machine>, SessionError> {
        let settings = self.script.settings(&self.project);
        let opened = self
            .catalog
            .session(&self.script.task(), &self.tools.specs(), &settings);
        opened.unwrap_or_else(|refusal| panic!("{}", refusal.0))
    }

    /// The same on the component, through the host library, with the catalog that must outlive it.
    pub fn hosted(&mut self) -> (callsheet::Session, callsheet::Catalog) {
        let callsheet = callsheet::Callsheet::builder()
            .project(self.project.to_string_lossy())
            .without_home()
            .build();
        let callsheet = callsheet.expect("the project is there");
        let mut catalog = callsheet
            .open(&self.script.dialect)
            .expect("the dialect is known");
        let settings = self.script.settings(&self.project);
        let session = catalog.session(&self.script.task(), &self.tools.specs(), &settings);
        (session.expect("the agent is active"), catalog)
    }

    /// A session from a snapshot.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<Box<dyn Machine>, SessionError> {
        let restored = self.catalog.restore(snapshot);
        restored.unwrap_or_else(|refusal| panic!("{}", refusal.0))
    }

    /// Plays a session to its end, always the first step first.
    pub fn play(&self, session: Box<dyn Machine>) -> Played {
        let who = (&*self.models, &*self.tools);
        play(session, who, &self.script, |_| 0, |session| session)
    }

    /// The models and tools.
    pub fn reply(&self, step: &Step) -> Reply {
        reply(step, (&*self.models, &*self.tools))
    }

    /// The result of the script.
    pub fn account(&mut self) -> Account {
        match self.open() {
            Ok(session) => self.play(session).account,
            Err(error) => Account::unopened(callsheet::Error::Session(error).to_string()),
        }
    }
}

/// The settings of the program without a terminal.
fn host_tools(
    runtime: &mut dyn Runtime,
    dialect: &str,
    project: &std::path::Path,
) -> Result<Arc<dyn Tools>, String> {
    let dialects = runtime.dialects().map_err(words)?;
    let dialect = dialects.iter().find(|known| known.id == dialect);
    let dialect = dialect.ok_or("unknown dialect")?;
    let tools = LocalTools::new(project, dialect, Options::default());
    let tools = tools.map_err(|error| error.to_string())?;
    Ok(Arc::new(Asking::new(Arc::new(tools), Arc::new(Unattended))))
}

fn words(refusal: Refusal) -> String {
    refusal.0
}
