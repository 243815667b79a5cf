//! The loader of the Agent System Specification, for programs written against that document.
//!
//! ```
//! # use std::pin::pin;
//! # use std::task::{Context, Poll, Waker};
//! use callsheet::loader::{AgentLoader, Result, ToolFilter};
//!
//! async fn tools_of(loader: &mut AgentLoader, name: &str) -> Result<String> {
//!     let agent = loader.get_agent(name).await?;
//!     Ok(match agent.tools {
//!         ToolFilter::All => "every tool".to_string(),
//!         ToolFilter::Specific(names) => names.join(", "),
//!     })
//! }
//! # let mut loader = AgentLoader::with(callsheet::Callsheet::builder().without_home());
//! # let Poll::Ready(loaded) = pin!(loader.load_agents()).poll(&mut Context::from_waker(Waker::noop())) else { panic!() };
//! # loaded.unwrap();
//! ```

use std::path::PathBuf;

use crate::builder::Builder;
use crate::{Callsheet, Catalog, Error, Place, catalogs, types};

pub use crate::Result;

/// The specification's own dialect.
const DIALECT: &str = "kode-rs";

/// Which tools an agent may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolFilter {
    /// Every tool.
    All,
    /// Only these.
    Specific(Vec<String>),
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// Which tools it may use.
    pub tools: ToolFilter,
    /// The model; none for the default one.
    pub model: Option<String>,
    /// Its prompt.
    pub system_prompt: String,
}

/// Loads agents from the directories of the specification, and caches them.
pub struct AgentLoader {
    settings: Builder,
    catalog: Option<Catalog>,
}

impl AgentLoader {
    /// Uses the working directory and the user's home directory.
    pub fn new() -> Self {
        Self::with(Callsheet::builder())
    }

    /// Adds these directories, which take precedence.
    pub fn with_directories(directories: impl IntoIterator<Item = PathBuf>) -> Self {
        let place = |path: PathBuf| Place::new(path.to_string_lossy(), path.clone());
        Self::with(
            directories
                .into_iter()
                .map(place)
                .fold(Callsheet::builder(), Builder::directory),
        )
    }

    /// Uses the places of the settings.
    pub fn with(settings: Builder) -> Self {
        Self {
            settings,
            catalog: None,
        }
    }

    /// Every active agent, sorted by name. Reads only the files that changed since the last call.
    ///
    /// # Errors
    /// If the project directory cannot be read. A broken file is left out; [`get_agent`](Self::get_agent) returns its error.
    pub async fn load_agents(&mut self) -> Result<Vec<Agent>> {
        let catalog = self.refreshed()?;
        let mut agents = Vec::new();
        for name in catalog.names()? {
            agents.extend(catalog.get(&name)?.map(Agent::from));
        }
        Ok(agents)
    }

    /// The agent of this name. Reads only the files that changed since the last call.
    ///
    /// # Errors
    /// With [`Error::NoSuchAgent`] if no active agent has this name; it names a broken file of this name, with its error.
    pub async fn get_agent(&mut self, name: &str) -> Result<Agent> {
        let catalog = self.refreshed()?;
        match catalog.get(name)? {
            Some(agent) => Ok(agent.into()),
            None => Err(Error::NoSuchAgent {
                name: name.into(),
                broken: broken(catalog, name)?,
            }),
        }
    }

    fn refreshed(&mut self) -> Result<&mut Catalog> {
        if let Some(catalog) = &mut self.catalog {
            catalog.refresh()?;
        } else {
            self.catalog = Some(self.settings.clone().build()?.open(DIALECT)?);
        }
        Ok(self.catalog.as_mut().expect("it was just opened"))
    }
}

impl Default for AgentLoader {
    fn default() -> Self {
        Self::new()
    }
}

/// The first file of this name that does not load, with the reason.
fn broken(catalog: &mut Catalog, name: &str) -> Result<Option<(String, String)>> {
    let explanation = catalog.explain(name)?;
    let near = explanation.near.into_iter().map(|near| near.entry);
    let mut entries = explanation.candidates.into_iter().chain(near);
    let found = entries.find(|entry| entry.standing == catalogs::Standing::Broken);
    Ok(found.map(|entry| (entry.origin.path.unwrap_or(entry.origin.source), entry.reason)))
}

impl From<types::Agent> for Agent {
    fn from(agent: types::Agent) -> Self {
        Self {
            name: agent.name,
            description: agent.description,
            tools: agent.tools.into(),
            model: match agent.model {
                types::ModelChoice::Absent => None,
                types::ModelChoice::Inherit => Some("inherit".into()),
                types::ModelChoice::Alias(model) | types::ModelChoice::Id(model) => Some(model),
            },
            system_prompt: agent.system_prompt,
        }
    }
}

impl From<types::ToolFilter> for ToolFilter {
    fn from(filter: types::ToolFilter) -> Self {
        match filter {
            types::ToolFilter::Absent | types::ToolFilter::Null | types::ToolFilter::All => Self::All,
            types::ToolFilter::None => Self::Specific(Vec::new()),
            types::ToolFilter::Only(rules) => Self::Specific(rules.into_iter().map(written).collect()),
        }
    }
}

/// A rule as written in the file.
fn written(rule: types::ToolRule) -> String {
    match rule.specifier {
        Some(specifier) => format!("{}({specifier})", rule.tool),
        None => rule.tool,
    }
}
